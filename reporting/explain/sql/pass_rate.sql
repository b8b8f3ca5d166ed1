SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(passed) AS numerator,
    countIf(graded) AS denominator,
    map('awaiting_grading', countIf(awaiting_grading)) AS excluded
FROM scope
