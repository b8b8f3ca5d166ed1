SELECT login, role, names, user_id, password
FROM rollcall.access_people FINAL
WHERE NOT is_removed
ORDER BY login
