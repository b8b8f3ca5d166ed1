SELECT
    of,
    -- Unmeasured: when it was created or completed was never sent.
    multiIf(
        completed AND (completed_at IS NULL OR created_at_assumed), 'completed_unmeasured',
        completed, 'completed',
        failed, 'failed',
        created_at_assumed, 'open_unmeasured',
        'open'
    ) AS kind,
    -- Whole days since it was created.
    greatest(0, intDiv(dateDiff('millisecond', created_at, if(kind = 'completed', ifNull(completed_at, created_at), as_of)), 86400000)) AS days,
    count() AS n
FROM
(
    SELECT 'scope' AS of, completed, failed, completed_at, created_at, created_at_assumed FROM scope
    UNION ALL
    SELECT 'past' AS of, completed, failed, completed_at, created_at, created_at_assumed FROM past
)
GROUP BY of, kind, days
ORDER BY of, kind, days
