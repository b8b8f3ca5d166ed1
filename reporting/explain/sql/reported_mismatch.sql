SELECT countIf(reported_mismatch) AS value
FROM scope
