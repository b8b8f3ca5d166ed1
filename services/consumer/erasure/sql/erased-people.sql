SELECT user_id AS userId, groupUniqArrayArray(email_hashes) AS emailHashes, CAST([] AS Array(String)) AS titleHashes
FROM rollcall.erasures
GROUP BY user_id
