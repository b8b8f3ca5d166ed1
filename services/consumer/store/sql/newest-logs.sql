-- The present generation, and whose it is: two rows where two logs have claimed it at once.
SELECT generation, log, max(partitions) AS partitions
FROM rollcall.logs
WHERE generation = (SELECT max(generation) FROM rollcall.logs)
GROUP BY generation, log
