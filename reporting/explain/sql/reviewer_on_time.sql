SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(reason = '' AND graded AND due_key(first_seen_graded) <= due_key(reviewers_due_date)) AS numerator,
    countIf(reason = '') AS denominator,
    map(
        'no_reviewers_due_date', countIf(reason = 'no_reviewers_due_date'),
        'unknown', countIf(reason = 'unknown'),
        'not_due_yet', countIf(reason = 'not_due_yet')
    ) AS excluded
FROM
(
    SELECT
        *,
        multiIf(
            reviewers_due_date IS NULL, 'no_reviewers_due_date',
            began_graded, 'unknown',
            awaiting_grading AND due_key(reviewers_due_date) >= due_key(as_of), 'not_due_yet',
            ''
        ) AS reason
    FROM scope
    WHERE graded OR awaiting_grading
)
