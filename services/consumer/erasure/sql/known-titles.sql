-- Every text beside raw bodies in which a person may be named.
SELECT DISTINCT arrayJoin(texts) AS text
FROM
(
    SELECT [name] AS texts FROM rollcall.names
    UNION ALL
    SELECT arrayConcat([title], CAST(tags AS Array(String))) FROM rollcall.guide_rows
    UNION ALL
    SELECT [asked_by, reason, guide_title] FROM rollcall.guide_order_rows
    UNION ALL
    SELECT [detail] FROM rollcall.guide_order_steps
)
WHERE text != ''
