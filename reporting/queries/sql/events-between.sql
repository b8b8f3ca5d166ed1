-- The events of some assignments with a time after one moment and up to another, in event order: what changed their states.
SELECT
    toString(akey) AS akey,
    replaceAll(toString(event_id), '-', '') AS event_id,
    event_type,
    toUnixTimestamp64Milli(event_time) AS at,
    toUnixTimestamp64Milli(received_at) AS received_at
FROM rollcall.event_rows FINAL
WHERE akey IN {akeys:Array(UInt64)}
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    AND rank > 0 AND event_time > {from:DateTime64(3, 'UTC')} AND event_time <= {as_of:DateTime64(3, 'UTC')}
ORDER BY event_time, rollcall.event_rows.updated_at, rank, replaceAll(toString(rollcall.event_rows.event_id), '-', '') -- The event order.
SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 60
