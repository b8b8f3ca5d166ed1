-- Bodies that may hold a person's data: of his events, of events that name him as somebody's manager or report, and whatever
-- mentions his name or e-mail. Which of them do is seen when they are read.
SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS eventId
FROM rollcall.event_bodies
WHERE event_id IN (SELECT event_id FROM rollcall.event_rows WHERE user_id = {user:String})
    OR event_id IN (
        SELECT observation_id FROM rollcall.user_observations
        WHERE user_id = {user:String} OR has(managers, {user:String}) OR has(direct_reports, {user:String})
    )
    OR arrayExists(text -> positionCaseInsensitiveUTF8(body, text) > 0, {texts:Array(String)})
