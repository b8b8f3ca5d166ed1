-- Failed events that are not events by now and that no person has put right, some at a time; not those whose bodies were damaged. Of an
-- id and its order nothing is asked but that it is one.
SELECT
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(received_at) AS receivedAt,
    source,
    base64Encode(body) AS body
FROM rollcall.failed_event_rows FINAL
WHERE
    event_id > {after:UUID}
    AND NOT has(reasons, 'damaged')
    AND ({reason:String} = '' OR has(reasons, {reason:String}))
    AND (empty({ids:Array(UUID)}) OR event_id IN {ids:Array(UUID)})
    AND replaceAll(toString(event_id), '-', '') IN (SELECT event_id FROM rollcall.failed_events)
ORDER BY event_id
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
