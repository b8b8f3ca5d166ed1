SELECT id, login, name, path, query, is_offered
FROM rollcall.access_views FINAL
WHERE NOT is_removed
ORDER BY lowerUTF8(name), id
