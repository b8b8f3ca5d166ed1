SELECT table AS view, name, type, comment
FROM system.columns
WHERE database = 'rollcall' AND table IN {views:Array(String)}
ORDER BY table, position
