SELECT
    period_of(created_at) AS period_start,
    count() AS assigned,
    countIf(scope.completed) AS completed
FROM scope
GROUP BY period_start
ORDER BY period_start
