-- What the platform has announced, as long as it goes on saying so: the last values of each path.
SELECT
    path,
    toString(notice.header) AS header,
    value,
    toUnixTimestamp64Milli(min(notice.first_seen)) AS first_seen,
    toUnixTimestamp64Milli(max(notice.last_seen)) AS last_seen
FROM rollcall.platform_notices AS notice
GROUP BY path, notice.header, value
HAVING max(notice.last_seen) > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
ORDER BY path, header, last_seen DESC, value
LIMIT 3 BY path, header
LIMIT 50
