-- How many assignments of a scope changed between two moments: by kind, and of each kind by cause, team and challenge. Kind 14 is all of them; an assignment that changed in several ways counts in each. Teams are those at the later moment.
WITH
    -- include changed-between
-- Equal changes are counted first, so that few rows are multiplied by their kinds and dimensions. GROUPING SETS would say the same, and
-- take 120 ms more to plan.
SELECT kind, entry.1 AS dimension, entry.2 AS ids, sum(n) AS n
FROM
(
    SELECT
        arrayJoin(arrayPushBack(arrayFilter(bit -> bitTest(kinds, bit), range(14)), 14)) AS kind,
        [('event', bitTest(by_event, kind)), ('time', bitTest(by_time, kind)), ('people', bitTest(by_people, kind))] AS causes, -- unless brief
        arrayJoin([('all', []), ('challenge', [challenge_id]), ('team', teams)]) AS entry, -- if brief
        arrayJoin([('all', []), ('cause', arrayMap(cause -> cause.1, arrayFilter(cause -> cause.2, causes))), ('challenge', [challenge_id]), ('team', teams)]) AS entry, -- unless brief
        n
    FROM
    (
        SELECT
            kinds,
            by_event, by_time, by_people, -- unless brief
            told.challenge_id AS challenge_id, person.teams AS teams, count() AS n
        FROM told
        LEFT JOIN (SELECT user_id, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
            WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
        ) AS person ON person.user_id = told.user_id
        GROUP BY
            kinds,
            by_event, by_time, by_people, -- unless brief
            challenge_id, teams
    )
)
GROUP BY kind, entry
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
