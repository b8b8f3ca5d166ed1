-- What the engine could not read when it started, and has put aside since.
SELECT table, toUInt32(count()) AS parts
FROM system.detached_parts
WHERE database = 'rollcall' AND startsWith(reason, 'broken')
GROUP BY table
ORDER BY table
