-- Printed by `npm run docs:data` from schemas/metrics/facts.ts and columns.ts.
-- The analysts' contract: every assignment now, by the zones and the due end with which Rollcall was last started. Without
-- settings (before the first start): UTC and end_of_day.
CREATE OR REPLACE VIEW rollcall.assignments_all
(
    assignment_id String COMMENT 'challengeAssignment.id',
    challenge_id Nullable(String) COMMENT 'Id of the challenge; NULL = never sent',
    challenge Nullable(String) COMMENT 'Title of the challenge, as last sent',
    user_id Nullable(String) COMMENT 'Id of the person; NULL = never sent',
    effective_status String COMMENT 'completed, failed, awaiting_grading, overdue, in_progress or not_started: the first that holds',
    created_at DateTime64(3, 'UTC') COMMENT 'createdAt, or the time of the first event of the life where it was never sent',
    created_at_assumed Bool COMMENT 'createdAt was never sent in this life',
    due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'dueDate now in force',
    due_day Nullable(Date) COMMENT 'Calendar day of the due date in the due zone',
    first_due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'First known due date of this life',
    deadline_moved Bool COMMENT 'The due date differs from the first known one of this life',
    first_viewed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'firstViewedAt',
    last_viewed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'lastViewedAt',
    first_seen_submitted Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the first event of this life that says submitted',
    first_seen_graded Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the first event of this life that says graded',
    completed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'completedAt',
    reviewers_due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'reviewersDueDate',
    updated_at Nullable(DateTime64(3, 'UTC')) COMMENT 'updatedAt',
    calculated_grade Nullable(Float64) COMMENT 'calculatedGrade of graded ones, out of 100; NULL = not graded, or never sent',
    calculated_grade_as_sent Nullable(Float64) COMMENT 'calculatedGrade as sent: 0 before anybody has graded',
    completion_percentage Nullable(Float64) COMMENT 'completionPercentage as sent',
    completed Bool COMMENT 'isCompleted',
    failed Bool COMMENT 'Status is failed, and not completed',
    viewed Bool COMMENT 'firstViewedAt known, or a later stage',
    started Bool COMMENT 'Percentage above 0, or in progress, or a later stage',
    submitted Bool COMMENT 'isSubmitted, or needs_grading, partially or fully graded, or completed',
    graded Bool COMMENT 'isFullyGraded',
    partially_graded Bool COMMENT 'isPartiallyGraded',
    passed Bool COMMENT 'Graded, and passed',
    awaiting_grading Bool COMMENT 'Submitted, and not graded, completed or failed',
    open Bool COMMENT 'Not submitted and not failed: the learner still has to act',
    overdue Bool COMMENT 'Open, due date known and passed',
    days_overdue Nullable(Int32) COMMENT 'Of overdue ones: calendar days in the due zone since the due day',
    aging_bucket Nullable(String) COMMENT 'Of overdue ones: 1-7, 8-14, 15-30, 31-60, 61-90 or 91+ days',
    reviewer_overdue Bool COMMENT 'Awaiting grading, reviewersDueDate known and passed',
    due_soon Bool COMMENT 'Open, not overdue, due within the next days',
    completed_on_time Bool COMMENT 'Completed before it was late, by our reckoning',
    reported_mismatch Bool COMMENT 'isOverdue was sent and differs from overdue',
    status Nullable(String) COMMENT 'Status word as sent',
    is_completed_on_time Nullable(Bool) COMMENT 'isCompletedOnTime as reported by the platform',
    is_overdue Nullable(Bool) COMMENT 'isOverdue as reported by the platform',
    num_days_overdue Nullable(Float64) COMMENT 'numDaysOverdue as reported by the platform',
    life UInt32 COMMENT 'Which life of the assignment: 1, and one more for each re-creation after a deletion',
    began_submitted Bool COMMENT 'The first event of this life was already submitted: when that began is unknown',
    began_graded Bool COMMENT 'The first event of this life was already graded: when that began is unknown',
    graded_when_submitted Bool COMMENT 'First seen submitted and first seen graded in one event: there is no turnaround to measure',
    user_active Bool COMMENT 'Whether the person was neither deleted nor permanently deleted',
    teams Array(String) COMMENT 'Ids of the person''s teams',
    user_attributes Map(String, String) COMMENT 'Custom attributes of the person by name, of those that USER_ATTRIBUTES allows',
    overdue_spans Array(Tuple(began_at DateTime64(3, 'UTC'), ended_at DateTime64(3, 'UTC'))) COMMENT 'When it was overdue, over all lives up to the instant, ends exclusive; 2200-01-01 = until further notice'
) AS
SELECT *
FROM rollcall.assignments_all_as_of(
    as_of = now64(3, 'UTC'),
    due_zone = coalesce(nullIf((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'due_zone'), ''), 'UTC'),
    due_end = coalesce(nullIf((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'due_end'), ''), 'end_of_day'),
    due_soon_days = 7
)
COMMENT 'Every assignment as it is now, also of people who have left, with the facts of METRICS.md'
