-- What is still open for people who have left? The dashboards leave it out.
SELECT user_id, count() AS open_assignments, max(due_date) AS last_due
FROM rollcall.assignments_all
WHERE NOT user_active AND open
GROUP BY user_id
ORDER BY open_assignments DESC, user_id
LIMIT 100
