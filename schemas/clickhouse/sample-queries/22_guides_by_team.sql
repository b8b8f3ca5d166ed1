-- How far is each team with its guides? A person in two teams counts in both.
SELECT
    arrayJoin(u.teams) AS team_id,
    any(g.title) AS title,
    a.guide_id AS guide_id,
    count() AS assigned,
    countIf(a.completed) AS completed_assignments
FROM rollcall.guide_assignments AS a
INNER JOIN rollcall.users AS u ON u.user_id = a.user_id
LEFT JOIN rollcall.guides AS g ON g.guide_id = a.guide_id
WHERE NOT a.deleted AND NOT a.archived AND u.active
GROUP BY team_id, guide_id
ORDER BY team_id, guide_id
