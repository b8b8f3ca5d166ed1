SELECT generation
FROM rollcall.logs
WHERE log = {log:String}
ORDER BY generation DESC
LIMIT 1
