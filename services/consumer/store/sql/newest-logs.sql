-- The present generation, and whose it is: two rows where two logs have claimed it at once.
SELECT DISTINCT generation, log
FROM rollcall.logs
WHERE generation = (SELECT max(generation) FROM rollcall.logs)
