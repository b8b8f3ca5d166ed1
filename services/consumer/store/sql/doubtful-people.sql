-- People, of one share of all, whose versions cannot be right: an image more or less often than once, or gaps and overlaps.
SELECT DISTINCT user_id AS userId
FROM
(
    SELECT user_id
    FROM rollcall.user_versions
    WHERE sipHash64(user_id) % {shares:UInt8} = {share:UInt8}
    GROUP BY user_id, img
    HAVING sum(sign) NOT IN (0, 1)
    UNION ALL
    SELECT user_id
    FROM rollcall.user_versions
    WHERE sipHash64(user_id) % {shares:UInt8} = {share:UInt8}
    GROUP BY user_id
    HAVING sum(sign * (toUnixTimestamp64Milli(valid_to) - toUnixTimestamp64Milli(valid_from)))
        != toUnixTimestamp64Milli(toDateTime64('2200-01-01 00:00:00', 3, 'UTC'))
    UNION ALL
    SELECT report_id AS user_id
    FROM rollcall.link_versions
    WHERE sipHash64(report_id) % {shares:UInt8} = {share:UInt8}
    GROUP BY manager_id, report_id, img
    HAVING sum(sign) NOT IN (0, 1)
)
SETTINGS max_threads = 1, max_bytes_before_external_group_by = 200000000
