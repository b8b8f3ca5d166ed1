-- name: cohorts
SELECT
    period_of(created_at) AS period_start,
    count() AS assigned,
    countIf(scope.completed) AS completed
FROM scope
GROUP BY period_start
ORDER BY period_start

-- name: durations
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

-- name: grade
SELECT
    count() AS n,
    if(n = 0, NULL, avg(known_grade)) AS mean,
    if(n = 0, NULL, quantileExactInclusive(0.5)(known_grade)) AS median,
    arrayMap(
        from -> CAST((from * 10, from * 10 + 10, countEqual(groupArray(least(greatest(floor(known_grade / 10), 0), 9)), from)), 'Tuple(from UInt8, to UInt8, count UInt64)'),
        range(10)
    ) AS histogram
FROM (SELECT assumeNotNull(calculated_grade) AS known_grade FROM scope WHERE graded AND calculated_grade IS NOT NULL)

-- name: grading_backlog
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

-- name: people_fully_complete
SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(is_complete) AS numerator,
    count() AS denominator
FROM
(
    SELECT user_id, min(completed) AS is_complete
    FROM scope
    WHERE user_id IS NOT NULL
    GROUP BY user_id
)

-- name: trend
SELECT period_start, assigned, completed, graded, became_overdue, overdue_at_end
FROM
(
    SELECT
        period_start,
        sum(is_assigned) AS assigned,
        sum(is_completed) AS completed,
        sum(is_graded) AS graded,
        sum(is_began) AS became_overdue,
        sum(sum(is_began) - sum(is_ended)) OVER (ORDER BY period_start) AS overdue_at_end
    FROM
    (
        SELECT arrayJoin(periods) AS period_start, 0 AS is_assigned, 0 AS is_completed, 0 AS is_graded, 0 AS is_began, 0 AS is_ended
        UNION ALL
        SELECT period_of(created_at), 1, 0, 0, 0, 0 FROM scope
        UNION ALL
        SELECT period_of(assumeNotNull(completed_at)), 0, 1, 0, 0, 0 FROM scope WHERE completed AND completed_at <= as_of
        UNION ALL
        SELECT period_of(assumeNotNull(first_seen_graded)), 0, 0, 1, 0, 0 FROM scope WHERE graded
        UNION ALL
        SELECT period_of(span.began_at), 0, 0, 0, 1, 0 FROM scope ARRAY JOIN overdue_spans AS span
        UNION ALL
        SELECT period_of(span.ended_at), 0, 0, 0, 0, 1 FROM scope ARRAY JOIN overdue_spans AS span WHERE span.ended_at <= as_of
    )
    GROUP BY period_start
)
WHERE has(periods, period_start)
ORDER BY period_start
