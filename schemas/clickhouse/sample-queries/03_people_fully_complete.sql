-- How many people have completed everything that they were assigned?
SELECT
    countIf(is_complete) AS people_fully_complete,
    count() AS people,
    round(people_fully_complete / people, 3) AS rate
FROM
(
    SELECT user_id, min(completed) AS is_complete
    FROM rollcall.assignments
    WHERE user_id IS NOT NULL
    GROUP BY user_id
)
