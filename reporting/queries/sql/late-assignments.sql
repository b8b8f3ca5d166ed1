-- The overdue assignments of a few people, most days overdue first, with a limit for each person.
SELECT
    assignment.1 AS assignment_id,
    assignment.2 AS user_id,
    assignment.3 AS challenge_id,
    title.name AS challenge,
    assignment.4 AS due_day,
    assignment.5 AS days_overdue,
    assignment.6 AS is_viewed,
    person_id
FROM
(
    SELECT
        any((assignment_id, toString(user_id), toString(challenge_id), due_day, days_after_due, bitTest(facts, 6))) AS assignment,
        assignment.2 AS person_id,
        assignment.3 AS challenge_key
    FROM
    (
        SELECT *
        -- include scope-at
            AND bitTest(facts, 25)
    )
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS row
LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'challenge' GROUP BY id) AS title ON title.id = row.challenge_key
ORDER BY assignment.5 DESC, title.name, assignment.1 -- Longest first; the id makes it a total order.
LIMIT {per_person:UInt32} BY person_id
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
