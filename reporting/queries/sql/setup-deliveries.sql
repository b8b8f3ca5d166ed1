-- The newest deliveries for the set-up page, of both kinds, straight from the tables: a repeat is listed once more until
-- parts merge, and nobody scrolls back here. The recent tail only.
SELECT
    concat(replaceOne(toString(received), ' ', 'T'), 'Z') AS received_at,
    source,
    event_type,
    outcome,
    reason
FROM
(
    SELECT received_at AS received, source, CAST(event_type, 'Nullable(String)') AS event_type, 'stored' AS outcome, CAST(NULL, 'Nullable(String)') AS reason
    FROM rollcall.event_rows
    WHERE received_at > now64(3) - INTERVAL 7 DAY
    ORDER BY received_at DESC
    LIMIT 20
    UNION ALL
    SELECT received_at, source, CAST(NULL, 'Nullable(String)'), 'failed', arrayStringConcat(arrayMap(problem -> if(startsWith(problem, 'The body is not JSON:') AND match(problem, '["\']'), 'The body is not JSON.', problem), problems), ' ')
    FROM rollcall.failed_event_rows
    WHERE received_at > now64(3) - INTERVAL 7 DAY
    ORDER BY received_at DESC
    LIMIT 20
)
ORDER BY received DESC
LIMIT 20
