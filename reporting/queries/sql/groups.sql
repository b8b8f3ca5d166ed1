-- The assignments of a scope by challenge or by team: how many have which facts, and their grades, of which the lines of a
-- ranking are made. Someone in two teams counts in both; no team and an unknown challenge are the empty id.
-- By team, each row is joined with the teams of its person before anything is counted: people share few lists of teams, so there are few groups.
WITH entries AS
(
    SELECT
        toString(challenge_id) AS id, -- if by_challenge
        person.teams_hash AS id, -- if by_team
        any(person.teams) AS teams, -- if by_team
        bitAnd(facts, {ranking_mask:UInt64}) AS bits,
        if(bitTest(facts, 3) AND bitTest(facts, 13), toNullable(grade), NULL) AS final_grade,
        sum(sign) AS m
    FROM
    (
        SELECT challenge_id, user_id, facts, grade, sign
        -- include scope-at
    ) AS stored
    LEFT JOIN ( -- if by_team
        SELECT user_id, teams, cityHash64(teams) AS teams_hash -- if by_team
        FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) -- if by_team
    ) AS person ON person.user_id = stored.user_id -- if by_team
    GROUP BY id, bits, final_grade
    HAVING m != 0
)
SELECT id, groupArray(toString(bits)) AS bits, groupArray(n) AS counts, arrayFlatten(groupArray(values)) AS grades, arrayFlatten(groupArray(copies)) AS grade_counts
FROM
(
    SELECT
        id, -- unless by_team
        arrayJoin(if(empty(teams), [''], teams)) AS id, -- if by_team
        bits,
        sum(m) AS n,
        groupArrayIf(assumeNotNull(final_grade), isNotNull(final_grade)) AS values,
        groupArrayIf(m, isNotNull(final_grade)) AS copies
    FROM entries
    GROUP BY id, bits
)
GROUP BY id
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
