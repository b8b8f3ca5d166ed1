-- What waits for a grade, and for how long?
SELECT
    challenge_id,
    any(challenge) AS title,
    count() AS waiting,
    countIf(partially_graded) AS begun,
    round(quantileExactInclusive(0.5)(dateDiff('hour', first_seen_submitted, now64(3))) / 24, 1) AS median_days,
    countIf(reviewer_overdue) AS past_the_reviewers_date
FROM rollcall.assignments
WHERE awaiting_grading
GROUP BY challenge_id
ORDER BY waiting DESC, challenge_id
