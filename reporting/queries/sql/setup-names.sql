-- Names of the people and challenges of the newest deliveries; of people only for readers who see names.
SELECT 'challenge' AS kind, id, argMax(name, (last_seen, name)) AS name
FROM rollcall.names
WHERE kind = 'challenge' AND id IN {challenges:Array(String)}
GROUP BY id
UNION ALL -- if named
SELECT 'person', user_id, name FROM rollcall.people_at(as_of = now64(3, 'UTC'), now = now64(3, 'UTC')) WHERE user_id IN {people:Array(String)} AND name != '' -- if named
