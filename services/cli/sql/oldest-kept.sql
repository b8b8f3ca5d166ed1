-- The oldest row that is kept for a time only; 0 = there is none.
SELECT name, toUnixTimestamp64Milli(oldest) AS oldestAt
FROM
(
    SELECT 'failed_events' AS name, min(received_at) AS oldest FROM rollcall.failed_event_rows
    UNION ALL
    SELECT 'bodies', minIf(received_at, received_at > toDateTime64(0, 3, 'UTC')) FROM rollcall.event_bodies
    UNION ALL
    SELECT 'repeats', min(received_at) FROM rollcall.repeat_rows
    UNION ALL
    SELECT 'findings', min(found_at) FROM rollcall.reconcile_findings
)
SETTINGS output_format_json_quote_64bit_integers = 0
