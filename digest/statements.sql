-- name: left
-- Which of these people have left. Each digest asks, so not by the view of people, which takes twice as long to plan.
SELECT user_id
FROM rollcall.user_versions
WHERE user_id IN {users:Array(String)} AND NOT active AND valid_from <= {now:DateTime64(3, 'UTC')} AND valid_to > {now:DateTime64(3, 'UTC')}
GROUP BY user_id, img
HAVING sum(sign) > 0
