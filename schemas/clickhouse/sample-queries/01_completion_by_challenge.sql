-- How much of each challenge is completed?
SELECT
    challenge_id,
    any(challenge) AS title,
    countIf(completed) AS completed_assignments,
    count() AS assigned,
    round(completed_assignments / assigned, 3) AS completion_rate
FROM rollcall.assignments
GROUP BY challenge_id
ORDER BY completion_rate, challenge_id
