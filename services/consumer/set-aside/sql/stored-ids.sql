SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS eventId
FROM rollcall.event_bodies
WHERE event_id IN {ids:Array(UUID)}
