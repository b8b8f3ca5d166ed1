-- The people of a scope with how many assignments each has, a page at a time by keyset: most overdue first, then most that wait for a
-- grade. A person counts by the assignments in scope, so somebody without one is not here.
WITH
    -- Never empty: transform() refuses an empty list.
    (SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(name), '')) FROM (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'team' GROUP BY id)) AS team_names,
    learners AS
    (
        SELECT
            counted.user_id AS person_id,
            assigned, completed, overdue_count, awaiting,
            person.name AS person_name, -- if named
            '' AS person_name, -- unless named
            person.teams AS person_teams,
            person.active AS is_active
        FROM
        (
            SELECT
                user_id,
                sum(sign) AS assigned,
                sumIf(sign, bitTest(state, 0)) AS completed,
                sumIf(sign, overdue) AS overdue_count,
                sumIf(sign, class = 1) AS awaiting
            FROM
            (
                SELECT *
                -- include rows-at
            )
            WHERE user_id != ''
            GROUP BY user_id
            HAVING assigned > 0
        ) AS counted
        LEFT JOIN rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) AS person ON person.user_id = counted.user_id
    ),
    found AS
    (
        SELECT *, count() OVER () AS found_people
        FROM
        (
            -- One scan: everybody is counted on the way.
            SELECT *, (count() OVER (), countIf(overdue_count > 0) OVER (), countIf(awaiting > 0) OVER (), countIf(completed = assigned) OVER (), countIf(completed < assigned) OVER ()) AS all_people
            FROM learners
        )
        WHERE true
            AND (positionCaseInsensitiveUTF8(person_name, {search:String}) > 0 OR person_id = {search:String}) -- if search
            AND overdue_count > 0 -- if with_overdue
            AND awaiting > 0 -- if with_awaiting
            AND completed = assigned -- if with_complete
            AND completed < assigned -- if with_unfinished
    )
SELECT
    person_id AS user_id,
    person_name AS user_name,
    arrayMap(id -> (id, transform(id, team_names.1, team_names.2, id)), person_teams) AS teams,
    line.managers AS managers,
    is_active,
    assigned,
    completed,
    overdue_count AS overdue,
    awaiting,
    all_people AS people,
    found_people AS total
FROM found AS row
-- include direct-managers
WHERE true
    AND (overdue_count, awaiting) <= ({after_overdue:Int64}, {after_awaiting:Int64}) -- if after
    AND ((overdue_count, awaiting) < ({after_overdue:Int64}, {after_awaiting:Int64}) OR person_id > {after_id:String}) -- if after
ORDER BY overdue_count DESC, awaiting DESC, person_id
LIMIT {limit:UInt32}
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
