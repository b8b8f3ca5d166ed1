-- How late are the overdue ones?
SELECT aging_bucket, count() AS overdue_assignments, uniqExact(user_id) AS people
FROM rollcall.assignments
WHERE overdue
GROUP BY aging_bucket
ORDER BY min(days_overdue)
