SELECT
    count() AS value,
    countIf(NOT awaiting.partially_graded) AS untouched,
    countIf(awaiting.partially_graded) AS partially_graded,
    if(value = 0, NULL, quantileExactInclusive(0.5)(age_ms)) AS p50_age_ms,
    if(value = 0, NULL, max(age_ms)) AS oldest_age_ms
FROM
(
    SELECT scope.partially_graded AS partially_graded, dateDiff('millisecond', assumeNotNull(first_seen_submitted), as_of) AS age_ms
    FROM scope
    WHERE awaiting_grading
) AS awaiting
