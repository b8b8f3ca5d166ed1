-- Who has the guide already, as last pulled.
SELECT user_id AS userId, assignment_id AS assignmentId, completed
FROM rollcall.guide_assignments
WHERE guide_id = {guide_id:String} AND NOT archived AND user_id IN {user_ids:Array(String)}
ORDER BY userId, completed, assignmentId
