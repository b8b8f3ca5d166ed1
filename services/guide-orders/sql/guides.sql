SELECT guide_id AS id, coalesce(title, guide_id) AS title
FROM rollcall.guides
ORDER BY title, id
