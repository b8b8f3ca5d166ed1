-- The analysts' contract: one row per assignment known and not deleted at an instant, with every fact of METRICS.md. What is
-- unknown is NULL. People who have left are in it: filter by user_active for "in scope".
CREATE OR REPLACE VIEW rollcall.assignments_as_of
(
    assignment_id String COMMENT 'challengeAssignment.id',
    user_id Nullable(String) COMMENT 'Id of the person; NULL = never sent',
    challenge_id Nullable(String) COMMENT 'Id of the challenge; NULL = never sent',
    challenge Nullable(String) COMMENT 'Title of the challenge, as last sent',
    user_active Bool COMMENT 'Whether the person was neither deleted nor permanently deleted',
    teams Array(String) COMMENT 'Ids of the person''s teams',
    life UInt32 COMMENT 'Which life of the assignment: 1, and one more for each re-creation after a deletion',
    effective_status String COMMENT 'completed, failed, awaiting_grading, overdue, in_progress or not_started: the first that holds',
    status Nullable(String) COMMENT 'Status word as sent',
    created_at DateTime64(3, 'UTC') COMMENT 'createdAt, or the time of the first event of the life where it was never sent',
    created_at_assumed Bool COMMENT 'createdAt was never sent in this life',
    updated_at Nullable(DateTime64(3, 'UTC')) COMMENT 'updatedAt',
    first_viewed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'firstViewedAt',
    last_viewed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'lastViewedAt',
    completed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'completedAt',
    due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'dueDate now in force',
    first_due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'First known due date of this life',
    due_day Nullable(Date) COMMENT 'Calendar day of the due date in the due zone',
    reviewers_due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'reviewersDueDate',
    first_seen_submitted Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the first event of this life that says submitted',
    first_seen_graded Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the first event of this life that says graded',
    calculated_grade Nullable(Float64) COMMENT 'calculatedGrade as sent, out of 100',
    completion_percentage Nullable(Float64) COMMENT 'completionPercentage as sent',
    completed Bool COMMENT 'isCompleted',
    failed Bool COMMENT 'Status is failed, and not completed',
    submitted Bool COMMENT 'isSubmitted, or needs_grading, partially or fully graded, or completed',
    graded Bool COMMENT 'isFullyGraded',
    partially_graded Bool COMMENT 'isPartiallyGraded',
    passed Bool COMMENT 'Graded, and passed',
    viewed Bool COMMENT 'firstViewedAt known, or a later stage',
    started Bool COMMENT 'Percentage above 0, or in progress, or a later stage',
    awaiting_grading Bool COMMENT 'Submitted, and not graded, completed or failed',
    open Bool COMMENT 'Not submitted and not failed: the learner still has to act',
    overdue Bool COMMENT 'Open, due date known and passed',
    reviewer_overdue Bool COMMENT 'Awaiting grading, reviewersDueDate known and passed',
    days_overdue Nullable(Int32) COMMENT 'Of overdue ones: calendar days in the due zone since the due day',
    aging_bucket Nullable(String) COMMENT 'Of overdue ones: 1-7, 8-14, 15-30, 31-60, 61-90 or 91+ days',
    due_soon Bool COMMENT 'Open, not overdue, due within the next days',
    completed_on_time Bool COMMENT 'Completed before it was late, by our reckoning',
    is_completed_on_time Nullable(Bool) COMMENT 'isCompletedOnTime as reported by the platform',
    is_overdue Nullable(Bool) COMMENT 'isOverdue as reported by the platform',
    num_days_overdue Nullable(Float64) COMMENT 'numDaysOverdue as reported by the platform',
    reported_mismatch Bool COMMENT 'isOverdue was sent and differs from overdue',
    deadline_moved Bool COMMENT 'The due date differs from the first known one of this life',
    began_submitted Bool COMMENT 'The first event of this life was already submitted: when that began is unknown',
    began_graded Bool COMMENT 'The first event of this life was already graded: when that began is unknown',
    graded_when_submitted Bool COMMENT 'First seen submitted and first seen graded in one event: there is no turnaround to measure',
    overdue_spans Array(Tuple(began_at DateTime64(3, 'UTC'), ended_at DateTime64(3, 'UTC'))) COMMENT 'When it was overdue, over all lives up to the instant, ends exclusive; 2200-01-01 = until further notice'
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
    if(bitTest(facts, 13), grade, NULL) AS calculated_grade,
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
COMMENT 'Every assignment as it was at an instant, with the facts of METRICS.md. Parameters: as_of (DateTime64), due_zone (tz name), due_end (end_of_day or instant), due_soon_days'
