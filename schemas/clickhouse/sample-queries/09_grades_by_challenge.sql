-- Which challenges are hard? Of graded ones only: what waits for a grade is not a zero.
SELECT
    challenge_id,
    any(challenge) AS title,
    count() AS graded_assignments,
    round(countIf(passed) / graded_assignments, 3) AS pass_rate,
    quantileExactInclusive(0.5)(calculated_grade) AS median_grade
FROM rollcall.assignments
WHERE graded
GROUP BY challenge_id
HAVING graded_assignments >= 10
ORDER BY pass_rate, challenge_id
