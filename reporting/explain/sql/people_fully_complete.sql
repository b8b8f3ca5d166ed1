SELECT
    if(denominator = 0, NULL, numerator / denominator) AS value,
    countIf(is_complete) AS numerator,
    count() AS denominator
FROM
(
    SELECT user_id, min(completed) AS is_complete
    FROM scope
    WHERE user_id IS NOT NULL
    GROUP BY user_id
)
