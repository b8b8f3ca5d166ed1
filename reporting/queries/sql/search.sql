-- Teams, challenges and people whose name holds a text, or whose id is that text. Names that begin with it come first.
SELECT kind, id, name
FROM
(
    SELECT kind, id, name
    FROM
    (
        -- include names-now
    )
    UNION ALL -- if persons
    SELECT 'person' AS kind, user_id AS id, name -- if named -- if persons
    SELECT 'person' AS kind, user_id AS id, user_id AS name -- unless named -- if persons
    FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) -- if persons
    WHERE active -- if persons
        AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen -- if persons
)
WHERE id != '' AND (id = {text:String} OR positionCaseInsensitiveUTF8(name, {text:String}) > 0)
ORDER BY positionCaseInsensitiveUTF8(name, {text:String}) = 1 DESC, lowerUTF8(name), id
LIMIT {limit:UInt32} BY kind
SETTINGS max_execution_time = 10
