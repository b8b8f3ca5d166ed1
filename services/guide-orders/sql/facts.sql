-- Who these people are as of now: their names, and whether they have left.
SELECT user_id AS userId, nullIf(name, '') AS name, active
FROM rollcall.people_at(as_of = now64(3, 'UTC'), now = now64(3, 'UTC'))
WHERE user_id IN {user_ids:Array(String)}
