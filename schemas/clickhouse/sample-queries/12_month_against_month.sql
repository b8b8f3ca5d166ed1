-- How did things stand a month ago, as was known then, and how do they stand now?
SELECT *
FROM
(
    SELECT 'a month ago' AS moment, count() AS assigned, countIf(completed) AS completed_assignments, countIf(overdue) AS overdue_assignments
    FROM rollcall.assignments_as_of(as_of = now64(3, 'UTC') - INTERVAL 1 MONTH, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)
    UNION ALL
    SELECT 'now', count(), countIf(completed), countIf(overdue)
    FROM rollcall.assignments_as_of(as_of = now64(3, 'UTC'), due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)
)
ORDER BY moment
