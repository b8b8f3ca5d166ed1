-- One number for what the tables hold about each of these people: the sum of the hashes of their rows. It changes when another
-- process writes about a person.
SELECT user_id AS userId, toString(sum(toInt64(img) * sign)) AS fingerprint
FROM
(
    SELECT user_id, img, sign FROM rollcall.user_versions WHERE user_id IN {users:Array(String)}
    UNION ALL
    SELECT manager_id, img, sign FROM rollcall.link_versions WHERE manager_id IN {users:Array(String)}
    UNION ALL
    SELECT report_id, img, sign FROM rollcall.link_versions WHERE report_id IN {users:Array(String)}
)
GROUP BY user_id
