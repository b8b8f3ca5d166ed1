SELECT
    multiIf(days < 1, '0', days < 3, '1-2', days < 7, '3-6', days < 14, '7-13', days < 30, '14-29', '30+') AS age,
    count() AS count
FROM
(
    -- Whole days since first seen submitted.
    SELECT intDiv(dateDiff('millisecond', assumeNotNull(first_seen_submitted), as_of), 86400000) AS days
    FROM scope
    WHERE awaiting_grading
)
GROUP BY age
ORDER BY min(days)
