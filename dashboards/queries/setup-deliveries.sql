-- The newest deliveries for the set-up page, of both kinds. The recent tail of the tables only: nobody scrolls back here.
SELECT
    formatDateTime(received, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC') AS received_at,
    source,
    event_type,
    outcome,
    reason
FROM
(
    SELECT received_at AS received, source, event_type, 'stored' AS outcome, CAST(NULL, 'Nullable(String)') AS reason
    FROM rollcall.events
    WHERE received_at > now64(3) - INTERVAL 7 DAY
    ORDER BY received_at DESC
    LIMIT 20
    UNION ALL
    SELECT received_at, source, CAST(NULL, 'Nullable(String)'), 'failed', arrayStringConcat(problems, ' ')
    FROM rollcall.failed_events
    WHERE received_at > now64(3) - INTERVAL 7 DAY
    ORDER BY received_at DESC
    LIMIT 20
)
ORDER BY received DESC
LIMIT 20
