-- The analysts' contract: one row per assignment known and not deleted at an instant, with every fact of METRICS.md. What is
-- unknown is NULL. People who have left are in it, with user_active = false.
CREATE OR REPLACE VIEW rollcall.assignments_all_as_of
(
-- include assignment-columns
) AS
SELECT
    assignment_id,
    nullIf(toString(learner), '') AS user_id,
    nullIf(toString(challenge_key), '') AS challenge_id,
    if(empty(challenge_name), NULL, challenge_name) AS challenge,
    CAST(empty(person.user_id) OR person.active AS Bool) AS user_active,
    person.teams AS teams,
    life,
    multiIf(bitTest(facts, 0), 'completed', bitTest(facts, 1), 'failed', bitTest(facts, 32), 'awaiting_grading', bitTest(facts, 25), 'overdue', bitTest(facts, 45), 'in_progress', 'not_started') AS effective_status,
    nullIf(toString(status), '') AS status,
    created_at,
    CAST(bitTest(facts, 12) AS Bool) AS created_at_assumed,
    nullIf(updated_at, toDateTime64(0, 3, 'UTC')) AS updated_at,
    nullIf(first_viewed_at, toDateTime64(0, 3, 'UTC')) AS first_viewed_at,
    nullIf(last_viewed_at, toDateTime64(0, 3, 'UTC')) AS last_viewed_at,
    nullIf(completed_at, toDateTime64(0, 3, 'UTC')) AS completed_at,
    nullIf(due_date, toDateTime64(0, 3, 'UTC')) AS due_date,
    nullIf(first_due_date, toDateTime64(0, 3, 'UTC')) AS first_due_date,
    if(due_day = 65535, NULL, toDate(due_day)) AS due_day,
    nullIf(reviewers_due_date, toDateTime64(0, 3, 'UTC')) AS reviewers_due_date,
    nullIf(first_submitted_at, toDateTime64(0, 3, 'UTC')) AS first_seen_submitted,
    nullIf(first_graded_at, toDateTime64(0, 3, 'UTC')) AS first_seen_graded,
    if(bitTest(facts, 3) AND bitTest(facts, 13), grade, NULL) AS calculated_grade,
    if(bitTest(facts, 13), grade, NULL) AS calculated_grade_as_sent,
    if(completion_percentage = -1 AND NOT bitTest(facts, 19), NULL, completion_percentage) AS completion_percentage,
    CAST(bitTest(facts, 0) AS Bool) AS completed,
    CAST(bitTest(facts, 1) AS Bool) AS failed,
    CAST(bitTest(facts, 2) AS Bool) AS submitted,
    CAST(bitTest(facts, 3) AS Bool) AS graded,
    CAST(bitTest(facts, 4) AS Bool) AS partially_graded,
    CAST(bitTest(facts, 3) AND bitTest(facts, 5) AS Bool) AS passed,
    CAST(bitTest(facts, 6) AS Bool) AS viewed,
    CAST(bitTest(facts, 7) AS Bool) AS started,
    CAST(bitTest(facts, 32) AS Bool) AS awaiting_grading,
    CAST(bitTest(facts, 31) AS Bool) AS open,
    CAST(bitTest(facts, 25) AS Bool) AS overdue,
    CAST(bitTest(facts, 42) AS Bool) AS reviewer_overdue,
    CAST(if(bitTest(facts, 25), days_after_due, NULL) AS Nullable(Int32)) AS days_overdue,
    if(bitTest(facts, 25), ['1-7', '8-14', '15-30', '31-60', '61-90', '91+'][1 + indexOf([bitTest(facts, 49), bitTest(facts, 50), bitTest(facts, 51), bitTest(facts, 52), bitTest(facts, 53)], 1)], NULL) AS aging_bucket,
    CAST(bitTest(facts, 26) AS Bool) AS due_soon,
    CAST(bitTest(facts, 43) AS Bool) AS completed_on_time,
    CAST(if(bitTest(facts, 10), bitTest(facts, 11), NULL) AS Nullable(Bool)) AS is_completed_on_time,
    CAST(if(bitTest(facts, 8), bitTest(facts, 9), NULL) AS Nullable(Bool)) AS is_overdue,
    days_overdue_reported AS num_days_overdue,
    CAST(bitTest(facts, 44) AS Bool) AS reported_mismatch,
    CAST(bitTest(facts, 18) AS Bool) AS deadline_moved,
    CAST(bitTest(facts, 14) AS Bool) AS began_submitted,
    CAST(bitTest(facts, 15) AS Bool) AS began_graded,
    CAST(bitTest(facts, 17) AS Bool) AS graded_when_submitted,
    -- A span that begins exactly at the end of the previous one continues it.
    CAST(arrayMap((began, ended) -> (fromUnixTimestamp64Milli(began, 'UTC'), fromUnixTimestamp64Milli(ended, 'UTC')),
        arrayFilter((began, before) -> began != before, late_spans.1, arrayShiftRight(late_spans.2, 1)),
        arrayFilter((ended, after) -> ended != after, late_spans.2, arrayShiftLeft(late_spans.1, 1))
    ) AS Array(Tuple(began_at DateTime64(3, 'UTC'), ended_at DateTime64(3, 'UTC')))) AS overdue_spans
FROM
(
    -- One row per image whose signs do not add up to zero. Rows with equal images are equal in every column.
    SELECT
        any(state.assignment_id) AS assignment_id, any(state.user_id) AS learner, any(state.challenge_id) AS challenge_key, any(state.life) AS life,
        any(state.status) AS status, any(state.created_at) AS created_at, any(state.updated_at) AS updated_at, any(state.first_viewed_at) AS first_viewed_at,
        any(state.last_viewed_at) AS last_viewed_at, any(state.completed_at) AS completed_at, any(state.due_date) AS due_date,
        any(state.first_due_date) AS first_due_date, any(state.due_day) AS due_day, any(state.reviewers_due_date) AS reviewers_due_date,
        any(state.first_submitted_at) AS first_submitted_at, any(state.first_graded_at) AS first_graded_at, any(state.grade) AS grade,
        any(state.completion_percentage) AS completion_percentage, any(state.facts) AS facts, any(state.days_after_due) AS days_after_due,
        any(state.days_overdue_reported) AS days_overdue_reported,
        -- The overdue part of a span begins at its late_from, the first instant after the due day.
        any(arrayFilter(span -> span.1 < span.2 AND span.1 <= toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}), arrayMap(span -> (
            greatest(span.1, if({due_end:String} = 'instant', span.3 + 1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(span.3), {due_zone:String}) + 1, 3, {due_zone:String})))),
            span.2
        ), state.due_spans))) AS late_spans
    FROM rollcall.scope_at(
        as_of = {as_of:DateTime64(3, 'UTC')}, now = now64(3, 'UTC'), time_zone = 'UTC', due_zone = {due_zone:String}, due_end = {due_end:String},
        due_soon_days = {due_soon_days:UInt16}, include_leavers = true, challenge = [], team = [], user = [],
        fact_mask = 0, status_mask = 0, aging_mask = 0,
        assigned_from = 0, assigned_to = 65535, completed_from = 0, completed_to = 65535, due_from = 0, due_to = 65535
    ) AS state
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS assignment
LEFT JOIN (SELECT user_id, active, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = now64(3, 'UTC'))) AS person ON person.user_id = assignment.learner
LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS challenge_name FROM rollcall.names WHERE kind = 'challenge' GROUP BY id) AS title ON title.id = assignment.challenge_key
SETTINGS join_use_nulls = 0
COMMENT 'Every assignment as it was at an instant, also of people who have left, with the facts of METRICS.md. Parameters: as_of (DateTime64), due_zone (tz name), due_end (end_of_day or instant), due_soon_days'
