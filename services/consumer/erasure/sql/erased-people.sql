SELECT user_id AS userId, groupUniqArrayArray(email_hashes) AS emailHashes
FROM rollcall.erasures
GROUP BY user_id
