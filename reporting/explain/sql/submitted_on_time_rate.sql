SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(reason = '' AND submitted AND in_time) AS numerator,
    countIf(reason = '') AS denominator,
    map(
        'no_due_date', countIf(reason = 'no_due_date'),
        'failed', countIf(reason = 'failed'),
        'not_due_yet', countIf(reason = 'not_due_yet'),
        'unknown', countIf(reason = 'unknown')
    ) AS excluded
FROM
(
    SELECT
        *,
        -- Where the first event was already submitted, a completion in time shows that the hand-in was in time, too.
        ifNull(due_key(first_seen_submitted) <= due_key(due_date), false)
            OR (began_submitted AND ifNull(due_key(completed_at) <= due_key(due_date), false)) AS in_time,
        multiIf(
            due_date IS NULL, 'no_due_date',
            failed, 'failed',
            NOT submitted AND due_key(due_date) >= due_key(as_of), 'not_due_yet',
            submitted AND NOT in_time AND began_submitted, 'unknown',
            ''
        ) AS reason
    FROM scope
)
