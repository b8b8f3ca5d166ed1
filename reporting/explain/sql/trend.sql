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
