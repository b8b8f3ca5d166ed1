SELECT
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(received_at) AS receivedAt,
    source,
    log_partition AS partition,
    log_offset AS offset,
    base64Encode(body) AS body
FROM rollcall.failed_event_rows FINAL
WHERE event_id IN {ids:Array(UUID)}
SETTINGS output_format_json_quote_64bit_integers = 0
