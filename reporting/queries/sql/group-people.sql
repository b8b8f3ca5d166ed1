-- How many people a scope has: all; by challenge; by the set of their teams; and in both a team and a challenge, where few of them have
-- other challenges, too. `only`: those who have no other challenge. An assignment without a user is nobody's.
WITH
    entries AS
    (
        SELECT
            toString(user_id) AS person,
            toString(challenge_id) AS challenge,
            toUInt8(sumIf(sign, bitAnd(state, 8200) = 8200) > 0) AS has_grade,
            toUInt8(sumIf(sign, bitTest(state, 3)) > 0) AS is_graded,
            toUInt8(sumIf(sign, bitTest(state, 0)) > 0) AS is_completed,
            toUInt8(sumIf(sign, class = 1) > 0) AS is_waiting
        FROM
        (
            SELECT challenge_id, user_id, state, class, sign
            -- include scope-at
        )
        GROUP BY person, challenge
        HAVING sum(sign) > 0 AND person != ''
    ),
    people AS
    (
        SELECT
            person,
            groupArray((challenge, has_grade, is_graded, is_completed, is_waiting)) AS own,
            max(has_grade) AS any_grade, max(is_graded) AS any_graded, max(is_completed) AS any_completed, max(is_waiting) AS any_waiting
        FROM entries
        GROUP BY person
    ),
    lines AS
    (
        SELECT arrayJoin(arrayConcat(
            [
                ('all', CAST([], 'Array(String)'), toUInt8(0), any_grade, any_graded, any_completed, any_waiting),
                ('teams', known.teams, toUInt8(0), any_grade, any_graded, any_completed, any_waiting)
            ],
            arrayMap(entry -> ('challenge', [entry.1], toUInt8(length(own) = 1), entry.2, entry.3, entry.4, entry.5), own),
            arrayFlatten(arrayMap(
                team -> arrayMap(entry -> ('both', [team, entry.1], toUInt8(length(own) = 1), entry.2, entry.3, entry.4, entry.5), own),
                if(empty(known.teams), [''], known.teams)
            ))
        )) AS line
        FROM people
        LEFT JOIN (SELECT user_id, arraySort(teams) AS teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})) AS known ON known.user_id = people.person
    )
SELECT
    line.1 AS kind, line.2 AS ids, count() AS people, sum(line.3) AS only,
    sum(line.4) AS grades, sum(line.5) AS graded, sum(line.6) AS completed, sum(line.7) AS waiting
FROM lines
GROUP BY kind, ids
HAVING kind != 'both' OR (people >= 5 AND people - only < 5)
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
