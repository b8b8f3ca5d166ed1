-- Single guide assignments of a scope, those that a number of the page of guides counts: what is open and due longest ago first.
WITH
    (SELECT max(complete_since) FROM rollcall.pulls WHERE job = 'guide-assignments') AS swept_from,
    titles AS (SELECT guide_id, ifNull(title, '') AS title FROM rollcall.guides)
SELECT assignment_id, guide_id, titles.title AS guide, user_id, user_name, completed, late, due_ms, completed_ms, total
FROM
(
    SELECT *, count() OVER () AS total
    FROM
    (
        -- include guides-in-scope
    )
    WHERE true
        AND completed -- if completed
        AND NOT completed AND late -- if overdue
        AND completed_in_time -- if on_time
        AND due_known AND if(completed, completed_at_known, late) -- if decided
    ORDER BY completed, due_ms = 0, due_ms, assignment_id
    LIMIT {limit:UInt32} OFFSET {offset:UInt32}
) AS row
LEFT JOIN titles ON titles.guide_id = row.guide_id
ORDER BY completed, due_ms = 0, due_ms, assignment_id
SETTINGS output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
