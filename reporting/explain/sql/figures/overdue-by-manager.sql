, reports AS
(
    SELECT line.1 AS manager, arrayJoin(line.2) AS person
    FROM (SELECT arrayJoin(lines) AS line)
)
SELECT manager, count() AS overdue, uniqExact(user_id) AS people, max(days_overdue) AS most_days
FROM (SELECT ifNull(user_id, '') AS person, user_id, days_overdue FROM scope WHERE overdue) AS late
LEFT JOIN reports ON reports.person = late.person
GROUP BY manager
ORDER BY overdue DESC, manager
