-- name: facts
-- Who these people are now: their names, and whether they have left.
SELECT user_id AS userId, nullIf(name, '') AS name, active
FROM rollcall.people_at(as_of = now64(3, 'UTC'), now = now64(3, 'UTC'))
WHERE user_id IN {user_ids:Array(String)}

-- name: guides
SELECT guide_id AS id, coalesce(title, guide_id) AS title
FROM rollcall.guides
ORDER BY title, id

-- name: holders
-- Who has the guide already, as last pulled.
SELECT user_id AS userId, assignment_id AS assignmentId, completed
FROM rollcall.guide_assignments
WHERE guide_id = {guide_id:String} AND NOT archived AND user_id IN {user_ids:Array(String)}
ORDER BY userId, completed, assignmentId

-- name: numeric-ids
-- People whose ids the platform sends as JSON numbers. Its API counts before events.
SELECT user_id AS userId
FROM rollcall.user_observations
WHERE user_id IN {user_ids:Array(String)}
GROUP BY user_id
HAVING argMax(id_is_number, (kind, observed_at, observation_id))

-- name: open
-- Orders with something left to do, oldest first.
SELECT order_id AS orderId
FROM rollcall.guide_orders
WHERE outcome IN ('planned', 'waiting')
GROUP BY order_id
ORDER BY min(asked_at), order_id

-- name: seen
-- When the platform last listed who has a guide. No row: it does not offer that.
SELECT toUnixTimestamp64Milli(answered_at) AS atMs
FROM rollcall.offered_lists
WHERE list = 'guide_assignments' AND is_offered
SETTINGS output_format_json_quote_64bit_integers = 0
