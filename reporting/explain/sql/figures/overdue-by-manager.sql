SELECT manager, count() AS overdue, uniqExact(user_id) AS people, max(days_overdue) AS most_days
FROM (SELECT ifNull(user_id, '') AS person, user_id, days_overdue FROM scope WHERE overdue) AS late
LEFT JOIN (SELECT manager_id AS manager, user_id AS person FROM lines) AS line ON line.person = late.person
GROUP BY manager
ORDER BY overdue DESC, manager
