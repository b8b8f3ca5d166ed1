SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(reason = '' AND completed AND due_key(completed_at) <= due_key(due_date)) AS numerator,
    countIf(reason = '') AS denominator,
    map(
        'no_due_date', countIf(reason = 'no_due_date'),
        'no_completion_time', countIf(reason = 'no_completion_time'),
        'failed', countIf(reason = 'failed'),
        'awaiting_grading', countIf(reason = 'awaiting_grading'),
        'not_due_yet', countIf(reason = 'not_due_yet')
    ) AS excluded
FROM
(
    SELECT
        *,
        multiIf(
            due_date IS NULL, 'no_due_date',
            completed AND completed_at IS NULL, 'no_completion_time',
            failed, 'failed',
            awaiting_grading, 'awaiting_grading',
            NOT completed AND due_key(due_date) >= due_key(as_of), 'not_due_yet',
            ''
        ) AS reason
    FROM scope
)
