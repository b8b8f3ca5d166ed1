-- How much has each team completed? A person in two teams counts in both, so the teams do not add up to the total.
SELECT
    arrayJoin(teams) AS team_id,
    countIf(completed) AS completed_assignments,
    count() AS assigned,
    round(completed_assignments / assigned, 3) AS completion_rate
FROM rollcall.assignments
GROUP BY team_id
ORDER BY completion_rate, team_id
