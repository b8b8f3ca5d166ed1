-- name: stored-event
-- A test event of these minutes, by its id; type and time keep it from reading more than their two narrow columns.
SELECT 1 AS found
FROM rollcall.event_rows
WHERE event_type = 'rollcall.test' AND received_at > now64(3) - INTERVAL 1 HOUR AND event_id = {event_id:UUID}
LIMIT 1
