SELECT team, count() AS overdue, uniqExact(user_id) AS people, max(days_overdue) AS most_days
FROM
(
    -- Somebody in two teams counts in both; no team is the empty one.
    SELECT arrayJoin(if(empty(teams), [''], teams)) AS team, user_id, days_overdue
    FROM scope
    WHERE overdue
)
GROUP BY team
ORDER BY overdue DESC, team
