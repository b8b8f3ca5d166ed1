-- Which fields does the platform send in another way than its specification says?
SELECT arrayJoin(drift) AS field, event_type, count() AS events, max(event_time) AS last_seen
FROM rollcall.events
GROUP BY field, event_type
ORDER BY events DESC, field, event_type
