-- Assignments of one share of all keys whose versions cannot be right: an image that is there more or less often than once,
-- not exactly one open version, versions that overlap, or events without any. What is right is for the fold to say.
SELECT DISTINCT toString(akey) AS assignmentKey
FROM
(
    SELECT akey
    FROM
    (
        SELECT akey, assignment_id, img, sum(sign) AS copies
        FROM rollcall.open_versions
        WHERE akey % {shares:UInt8} = {share:UInt8}
        GROUP BY akey, assignment_id, img
        HAVING copies != 0
    )
    GROUP BY akey, assignment_id
    HAVING count() != 1 OR any(copies) != 1
    UNION ALL
    SELECT akey
    FROM rollcall.closed_versions
    WHERE akey % {shares:UInt8} = {share:UInt8}
    GROUP BY akey, img
    HAVING sum(sign) NOT IN (0, 1)
    UNION ALL
    SELECT akey
    FROM
    (
        SELECT akey, assignment_id, valid_from, valid_to, sign FROM rollcall.open_versions
        WHERE akey % {shares:UInt8} = {share:UInt8}
        UNION ALL
        SELECT akey, assignment_id, valid_from, valid_to, sign FROM rollcall.closed_versions
        WHERE akey % {shares:UInt8} = {share:UInt8}
    )
    GROUP BY akey, assignment_id
    HAVING sum(sign * (toUnixTimestamp64Milli(valid_to) - toUnixTimestamp64Milli(valid_from)))
        > toUnixTimestamp64Milli(max(valid_to)) - toUnixTimestamp64Milli(min(valid_from))
    UNION ALL
    SELECT akey
    FROM rollcall.event_rows
    WHERE rank > 0 AND akey % {shares:UInt8} = {share:UInt8} AND akey NOT IN
    (
        SELECT akey FROM rollcall.open_versions WHERE akey % {shares:UInt8} = {share:UInt8} GROUP BY akey HAVING sum(sign) > 0
    )
)
-- It has time, and must not take memory from those who have not.
SETTINGS max_threads = 1, max_bytes_before_external_group_by = 200000000
