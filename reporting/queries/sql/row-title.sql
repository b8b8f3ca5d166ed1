LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'challenge' GROUP BY id) AS title ON title.id = row.challenge_key
