SELECT
    ifNull(challenge_id, '') AS challenge,
    countIf(awaiting_grading) AS waiting,
    maxOrNullIf(dateDiff('millisecond', assumeNotNull(first_seen_submitted), as_of), awaiting_grading) AS oldest_ms,
    countIf(graded AND NOT began_submitted AND NOT graded_when_submitted) AS turnaround_n,
    countIf(graded AND calculated_grade IS NOT NULL) AS grades,
    quantileExactInclusiveOrNullIf(0.5)(assumeNotNull(calculated_grade), graded AND calculated_grade IS NOT NULL) AS median_grade
FROM scope
WHERE graded OR awaiting_grading
GROUP BY challenge
HAVING waiting + turnaround_n + grades > 0
ORDER BY waiting DESC, challenge
