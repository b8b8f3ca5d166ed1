-- What is overdue, person by person, and what falls due from the day of the moment on, day by day: one scan, one snapshot. Someone in
-- two teams is one row; who reports to whom is followed by the caller.
WITH entries AS
(
    SELECT entry.1 AS kind, entry.2 AS id, entry.3 AS number, sum(sign) AS m
    FROM
    (
        SELECT
            arrayJoin(arrayFilter(each -> each.1 != '', [
                if(bitTest(facts, 25), ('person', toString(user_id), days_after_due), ('', '', 0::Int32)),
                if(bitTest(facts, 27) AND bitTest(facts, 31), ('open', '', 0::Int32), ('', '', 0::Int32)),
                -- The state of a day's assignments: handed in, failed without being handed in, or open.
                if(due_day BETWEEN {first_day:UInt16} AND {last_day:UInt16},
                    (multiIf(bitTest(facts, 2), 'handed_in', bitTest(facts, 31), 'still_open', 'failed'), '', due_day::Int32), ('', '', 0::Int32))
            ])) AS entry,
            sign
        FROM
        (
            SELECT facts, user_id, days_after_due, due_day, sign
            -- include scope-at
        )
    )
    GROUP BY kind, id, number
    HAVING m != 0
)
SELECT
    counted.kind AS kind,
    counted.id AS id,
    counted.day AS day,
    counted.n AS n,
    counted.most_days AS most_days,
    counted.buckets AS buckets,
    person.name AS name, -- if named
    '' AS name, -- unless named
    person.email AS email, -- if named
    '' AS email, -- unless named
    person.teams AS teams
FROM
(
    SELECT
        kind,
        id,
        if(kind IN ('person', 'open'), 0, number) AS day,
        sum(m) AS n,
        max(number) AS most_days,
        if(kind = 'person', [
            sumIf(m, number <= 7), sumIf(m, number BETWEEN 8 AND 14), sumIf(m, number BETWEEN 15 AND 30),
            sumIf(m, number BETWEEN 31 AND 60), sumIf(m, number BETWEEN 61 AND 90), sumIf(m, number > 90)
        ], []) AS buckets
    FROM entries
    GROUP BY kind, id, day
) AS counted
LEFT JOIN (SELECT user_id, name, email, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})) AS person
    ON person.user_id = counted.id AND counted.kind = 'person'
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
