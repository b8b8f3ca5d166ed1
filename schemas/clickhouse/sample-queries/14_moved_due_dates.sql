-- Which due dates were moved, and by how much?
SELECT assignment_id, user_id, challenge_id, first_due_date, due_date, dateDiff('day', first_due_date, due_date) AS days_later
FROM rollcall.assignments
WHERE deadline_moved
ORDER BY abs(days_later) DESC, assignment_id
LIMIT 100
