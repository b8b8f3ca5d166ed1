SELECT countIf(due_soon) AS value
FROM scope
