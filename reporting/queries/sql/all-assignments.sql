-- All rows behind the numbers of a scope, in the order of assignments.sql, as one statement: one snapshot, whatever arrives while it is
-- read. The answer is streamed, however slowly its reader takes it, hence the hour; what sorting and grouping cannot hold goes to disk.
WITH
    -- Never empty, which transform() does not take.
    (SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(name), '')) FROM (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'team' GROUP BY id)) AS team_names,
    scope AS
    (
        SELECT *
        -- include scope-at
    )
SELECT
    assignment.1 AS assignment_id,
    assignment.2 AS user_id,
    person.name AS user_name,
    arrayMap(id -> (id, transform(id, team_names.1, team_names.2, id)), person.teams) AS teams,
    assignment.3 AS challenge_id,
    title.name AS challenge,
    assignment.4 AS status,
    assignment.5 AS facts,
    assignment.6 AS life,
    assignment.7 AS times,
    assignment.8 AS due_day,
    assignment.9 AS days_after_due,
    assignment.10 AS grade,
    assignment.11 AS completion_percentage,
    assignment.12 AS num_days_overdue,
    NULL AS total
FROM
(
    SELECT
        any((
            assignment_id, toString(user_id), toString(challenge_id), toString(status), facts, life,
            arrayMap(time -> toUnixTimestamp64Milli(time), [
                created_at, updated_at, first_viewed_at, last_viewed_at, completed_at, due_date, first_due_date, reviewers_due_date,
                first_submitted_at, first_graded_at
            ]),
            due_day, days_after_due, grade, completion_percentage, days_overdue_reported
        )) AS assignment,
        assignment.2 AS person_id,
        assignment.3 AS challenge_key
    FROM scope
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS row
LEFT JOIN (SELECT user_id, name, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})) AS person ON person.user_id = row.person_id
LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'challenge' GROUP BY id) AS title ON title.id = row.challenge_key
ORDER BY assignment.7[1] DESC, assignment.1 -- By createdAt, newest first; the id makes it a total order.
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 3600, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0,
    max_bytes_before_external_sort = 200000000, max_bytes_before_external_group_by = 200000000, max_block_size = 8192
