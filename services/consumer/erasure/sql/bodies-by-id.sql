SELECT replaceAll(toString(event_id), '-', '') AS eventId, base64Encode(body) AS body, toUnixTimestamp64Milli(received_at) AS receivedAt
-- Not FINAL: of a body that was replaced by a clean one the other may still be there.
FROM rollcall.event_bodies
WHERE event_id IN {ids:Array(UUID)}
SETTINGS output_format_json_quote_64bit_integers = 0
