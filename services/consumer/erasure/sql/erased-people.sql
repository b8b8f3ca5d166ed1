SELECT
    user_id AS userId,
    groupUniqArrayArray(email_hashes) AS emailHashes,
    groupUniqArrayArray(arrayZip(mapKeys(titles), mapValues(titles))) AS titles
FROM rollcall.erasures
GROUP BY user_id
