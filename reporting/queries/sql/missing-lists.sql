-- Lists that the platform did not have when it was last asked.
SELECT list, path, toUnixTimestamp64Milli(answered_at) AS answered_at, toUnixTimestamp64Milli(refused_at) AS refused_at
FROM rollcall.offered_lists
WHERE NOT is_offered AND refused_at > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
ORDER BY list, path
