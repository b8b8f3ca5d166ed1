SELECT countIf(reviewer_overdue) AS value
FROM scope
