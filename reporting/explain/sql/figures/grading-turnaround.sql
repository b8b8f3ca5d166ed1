, measured AS
(
    SELECT
        period_of(assumeNotNull(first_seen_graded)) AS period_start,
        dateDiff('millisecond', assumeNotNull(first_seen_submitted), assumeNotNull(first_seen_graded)) AS wait_ms
    FROM scope
    WHERE graded AND NOT began_submitted AND NOT graded_when_submitted
)
SELECT
    period_start,
    count() AS n,
    -- Nothing among them still waits: p50 is the smallest wait after which half of them were graded.
    arraySort(groupArray(wait_ms))[toUInt64(ceil(n * 0.5 - 1e-9))] AS p50_ms,
    arraySort(groupArray(wait_ms))[toUInt64(ceil(n * 0.9 - 1e-9))] AS p90_ms
FROM measured
WHERE has(periods, period_start)
GROUP BY period_start
ORDER BY period_start
