SELECT countIf(overdue) AS value
FROM scope
