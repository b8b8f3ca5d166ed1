-- Failed events that are not events by now, some at a time; not those whose bodies were damaged. Of an id and its order nothing is asked but that it is one.
SELECT
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(received_at) AS receivedAt,
    source,
    base64Encode(body) AS body
FROM rollcall.failed_event_rows FINAL
WHERE event_id > {after:UUID} AND NOT has(reasons, 'damaged') AND event_id NOT IN (
    SELECT event_id FROM rollcall.event_bodies WHERE event_id IN (SELECT event_id FROM rollcall.failed_event_rows)
)
ORDER BY event_id
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
