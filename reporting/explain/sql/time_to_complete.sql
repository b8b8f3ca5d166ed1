, measured AS
(
    SELECT
        NOT created_at_assumed AND (NOT completed OR completed_at IS NOT NULL) AS is_known,
        completed AS has_ended,
        greatest(0, dateDiff('millisecond', created_at, if(completed, ifNull(completed_at, created_at), as_of))) AS wait_ms
    FROM scope
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
