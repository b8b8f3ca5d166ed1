-- What awaits grading, or what was first graded in a period, handed in longest ago first: a page at a time by keyset. Times are epoch ms,
-- 0 = unknown.
WITH
    toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}) AS as_of_ms,
    {after_submitted_at:DateTime64(3, 'UTC')} AS after_submitted_at,
    {after_assignment_id:String} AS after_assignment_id
SELECT
    assignment.1 AS assignment_id,
    assignment.2 AS user_id,
    person.name AS user_name, -- if named
    '' AS user_name, -- unless named
    assignment.3 AS challenge_id,
    title.name AS challenge,
    assignment.4 AS submitted_at,
    assignment.5 AS graded_at,
    assignment.6 AS reviewers_due_at,
    assignment.7 AS is_review_overdue,
    assignment.8 AS is_partly_graded,
    assignment.9 AS is_submission_known
FROM
(
    SELECT
        any((
            assignment_id, toString(user_id), toString(challenge_id), submitted_ms, toUnixTimestamp64Milli(first_graded_at),
            toUnixTimestamp64Milli(reviewers_due_date), bitTest(facts, 42), bitTest(facts, 4), NOT bitTest(facts, 14)
        )) AS assignment,
        assignment.2 AS person_id,
        assignment.3 AS challenge_key
    FROM
    (
        SELECT *, toUnixTimestamp64Milli(first_submitted_at) AS submitted_ms, intDiv(as_of_ms - submitted_ms, 86400000) AS days
        -- include scope-at
            AND bitTest(facts, 32) AND days >= {from_days:UInt32} AND days <= {to_days:UInt32} -- unless graded
            AND bitTest(facts, 42) -- if overdue
            AND NOT bitTest(facts, 29) -- if undated
            -- The reviewers' due date has not passed: it is soon, or later.
            AND bitTest(facts, 29) AND NOT bitTest(facts, 42) -- if dated
            AND (toInt32(toDate(reviewers_due_date, {due_zone:String})) - toInt32(toDate({as_of:DateTime64(3, 'UTC')}, {due_zone:String})) <= {due_soon_days:UInt16}) = {is_soon:Bool} -- if dated
            AND bitTest(facts, 3) AND NOT (bitTest(facts, 14) OR bitTest(facts, 17)) -- if graded
            AND toDate(first_graded_at, {time_zone:String}) BETWEEN {graded_from:Date} AND {graded_to:Date} -- if graded
    )
    WHERE first_submitted_at > after_submitted_at OR (first_submitted_at = after_submitted_at AND assignment_id > after_assignment_id)
    GROUP BY akey, img
    HAVING sum(sign) > 0
    ORDER BY assignment.4, assignment.1 -- Handed in longest ago first; the id makes it a total order.
    LIMIT {limit:UInt32} -- unless by_person
    LIMIT {limit:UInt32} BY person_id -- if by_person
) AS row
LEFT JOIN (SELECT user_id, name FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
    WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
) AS person ON person.user_id = row.person_id
LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'challenge' GROUP BY id) AS title ON title.id = row.challenge_key
ORDER BY assignment.4, assignment.1 -- As they were chosen.
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
