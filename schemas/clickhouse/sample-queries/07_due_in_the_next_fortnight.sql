-- What falls due in the next 14 days and is still open?
SELECT due_day, count() AS open_assignments, uniqExact(user_id) AS people, uniqExact(challenge_id) AS challenges
FROM rollcall.assignments
WHERE open AND NOT overdue AND due_date < now() + INTERVAL 14 DAY
GROUP BY due_day
ORDER BY due_day
