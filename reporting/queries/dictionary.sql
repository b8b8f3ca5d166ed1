-- name: data-views
SELECT name, comment FROM system.tables WHERE database = 'rollcall' AND name IN {views:Array(String)}

-- name: data-columns
SELECT table AS view, name, type, comment
FROM system.columns
WHERE database = 'rollcall' AND table IN {views:Array(String)}
ORDER BY table, position
