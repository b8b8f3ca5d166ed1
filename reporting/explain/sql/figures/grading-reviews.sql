SELECT
    multiIf(reviewer_overdue, 'overdue', reviewers_due_date IS NULL, 'none', dateDiff('day', due_today, toDate(assumeNotNull(reviewers_due_date), due_zone)) <= due_soon_days, 'soon', 'later') AS state,
    count() AS count
FROM scope
WHERE awaiting_grading
GROUP BY state
ORDER BY state
