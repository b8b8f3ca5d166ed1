-- Why could deliveries not be used?
SELECT arrayJoin(reasons) AS reason, count() AS deliveries, min(received_at) AS first, max(received_at) AS last
FROM rollcall.failed_events
GROUP BY reason
ORDER BY deliveries DESC, reason
