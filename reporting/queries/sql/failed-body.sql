-- The body of one failed event. It can hold anything about anybody: no reader who sees only some people gets it.
SELECT base64Encode(body) AS body
FROM rollcall.failed_event_rows
WHERE event_id = {id:UUID}
ORDER BY log_offset
LIMIT 1
