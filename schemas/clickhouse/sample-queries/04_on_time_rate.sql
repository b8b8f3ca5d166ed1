-- What share was completed on time, and what was left out of it, and why? The reasons are tried in this order; late is after
-- the due day, here in UTC.
SELECT
    countIf(reason = '' AND completed_on_time) AS on_time,
    countIf(reason = '') AS judged,
    round(on_time / judged, 3) AS on_time_rate,
    countIf(reason = 'no_due_date') AS no_due_date,
    countIf(reason = 'no_completion_time') AS no_completion_time,
    countIf(reason = 'failed') AS failed_ones,
    countIf(reason = 'awaiting_grading') AS awaiting,
    countIf(reason = 'not_due_yet') AS not_due_yet
FROM
(
    SELECT
        completed_on_time,
        multiIf(
            due_date IS NULL, 'no_due_date',
            completed AND completed_at IS NULL, 'no_completion_time',
            failed, 'failed',
            awaiting_grading, 'awaiting_grading',
            NOT completed AND due_day >= toDate(now(), 'UTC'), 'not_due_yet',
            ''
        ) AS reason
    FROM rollcall.assignments
)
