SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(overdue) AS numerator,
    countIf(due_date IS NOT NULL) AS denominator,
    map('no_due_date', countIf(due_date IS NULL)) AS excluded
FROM scope
WHERE open
