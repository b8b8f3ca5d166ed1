SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(completed) AS numerator,
    count() AS denominator
FROM scope
