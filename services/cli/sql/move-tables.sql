-- Everything that is kept, except which migrations were applied, how far which log was read, and what waits in it.
SELECT table, groupArray(name) AS columns
FROM system.columns
WHERE database = 'rollcall' AND default_kind IN ('', 'DEFAULT') AND table NOT IN ('schema_migrations', 'log_positions', 'logs', 'waiting_rows')
    AND table IN (SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree')
GROUP BY table
ORDER BY table
