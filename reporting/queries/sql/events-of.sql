-- The events of these assignments up to an instant, in event order (METRICS.md): what their lives, states and regrades follow from. By
-- the key of the table, and FINAL as the view events: each event once.
SELECT
    assignment_id,
    replaceAll(toString(event_id), '-', '') AS event_id,
    event_type,
    rank,
    toUnixTimestamp64Milli(event_time) AS at,
    toUnixTimestamp64Milli(received_at) AS received_at,
    status,
    flags_known,
    flags_true,
    grade,
    completion_percentage,
    toUnixTimestamp64Milli(due_date) AS due_date
FROM rollcall.event_rows FINAL
WHERE akey IN {akeys:Array(UInt64)} AND assignment_id IN {assignment_ids:Array(String)} AND rank > 0 AND event_time <= {as_of:DateTime64(3, 'UTC')}
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
ORDER BY event_time, rollcall.event_rows.updated_at, rank, replaceAll(toString(rollcall.event_rows.event_id), '-', '') -- The event order.
SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 60
