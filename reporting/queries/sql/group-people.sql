-- Holds no names of people.
-- How many people each challenge and each team of a scope has: somebody in two teams counts in both, no team is the empty id.
WITH entries AS
(
    SELECT toString(user_id) AS person, toString(challenge_id) AS challenge
    FROM
    (
        SELECT challenge_id, user_id, sign
        -- include scope-at
    )
    GROUP BY person, challenge
    HAVING sum(sign) > 0
)
SELECT 'challenge' AS kind, challenge AS id, uniqExact(person) AS people FROM entries GROUP BY id
UNION ALL
SELECT 'team' AS kind, arrayJoin(if(empty(known.teams), [''], known.teams)) AS id, uniqExact(entries.person) AS people
FROM entries
LEFT JOIN (SELECT user_id, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})) AS known ON known.user_id = entries.person
GROUP BY id
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
