-- Who is late with most, and for how long? Names are in the view people, where it is granted.
SELECT user_id, count() AS overdue_assignments, max(days_overdue) AS longest_days, groupArray(challenge) AS challenges
FROM rollcall.assignments
WHERE overdue
GROUP BY user_id
ORDER BY longest_days DESC, overdue_assignments DESC, user_id
LIMIT 50
