SELECT replaceAll(toString(event_id), '-', '') AS eventId, base64Encode(body) AS body
FROM rollcall.event_bodies FINAL
WHERE event_id IN {ids:Array(UUID)}
