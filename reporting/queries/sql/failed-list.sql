-- The newest failed events, of one reason or of all, without their bodies.
SELECT
    f.event_id AS event_id,
    toUnixTimestamp64Milli(f.received_at) AS received_at,
    f.source AS source,
    f.reasons AS reasons,
    f.problems AS problems,
    f.body_bytes AS body_bytes
FROM rollcall.failed_events AS f
WHERE ({reason:String} = '' OR has(f.reasons, {reason:String})) AND ({id:String} = '' OR f.event_id = {id:String})
ORDER BY f.received_at DESC, f.event_id
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
