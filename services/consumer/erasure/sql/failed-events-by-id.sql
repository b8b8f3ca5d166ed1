SELECT
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(received_at) AS receivedAt,
    source,
    reasons,
    problems,
    log_partition AS partition,
    log_offset AS offset,
    base64Encode(body) AS body
-- Not FINAL: of a row that was replaced by a clean one the other may still be there.
FROM rollcall.failed_event_rows
WHERE event_id IN {ids:Array(UUID)}
-- Of several deliveries the first is the one to keep, and comes last.
ORDER BY log_offset DESC
SETTINGS output_format_json_quote_64bit_integers = 0
