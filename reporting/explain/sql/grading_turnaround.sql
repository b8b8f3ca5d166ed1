, measured AS
(
    SELECT
        NOT began_submitted AND NOT graded_when_submitted AS is_known,
        graded AS has_ended,
        dateDiff('millisecond', assumeNotNull(first_seen_submitted), if(graded, assumeNotNull(first_seen_graded), as_of)) AS wait_ms
    FROM scope
    WHERE graded OR awaiting_grading
)
SELECT
    minOrNullIf(wait_ms, survival <= 0.5 + 1e-9) AS p50_ms,
    minOrNullIf(wait_ms, survival <= 0.1 + 1e-9) AS p90_ms,
    sum(ends) AS n,
    sum(waits - ends) AS censored,
    (SELECT countIf(NOT is_known) FROM measured) AS unknown
FROM
(
    -- Kaplan-Meier: who ends at a time, of those who have waited so long.
    SELECT *, exp(sum(log(1 - ends / at_risk)) OVER (ORDER BY wait_ms)) AS survival
    FROM
    (
        SELECT wait_ms, count() AS waits, countIf(has_ended) AS ends, sum(count()) OVER (ORDER BY wait_ms DESC) AS at_risk
        FROM measured
        WHERE is_known
        GROUP BY wait_ms
    )
)
