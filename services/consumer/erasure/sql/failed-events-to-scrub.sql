SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS eventId
FROM rollcall.failed_event_rows
WHERE position(body, {user:String}) > 0 OR arrayExists(text -> positionCaseInsensitiveUTF8(body, text) > 0, {texts:Array(String)})
