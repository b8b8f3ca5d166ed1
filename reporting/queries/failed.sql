-- name: failed-any
SELECT 1 FROM rollcall.failed_event_rows LIMIT 1

-- name: failed-reasons
-- The most frequent ones first. The empty reason: of any.
SELECT
    reason,
    count() AS events,
    toUnixTimestamp64Milli(min(received_at)) AS first_seen,
    toUnixTimestamp64Milli(max(received_at)) AS last_seen,
    arraySlice(arraySort(groupUniqArray(source)), 1, 20) AS sources
FROM rollcall.failed_events
ARRAY JOIN arrayConcat([''], reasons) AS reason
GROUP BY reason
ORDER BY events DESC, reason

-- name: failed-list
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

-- name: failed-body
-- The body of one failed event. It can hold anything about anybody: no reader who sees only some people gets it.
SELECT base64Encode(body) AS body
FROM rollcall.failed_event_rows
WHERE event_id = {id:UUID}
ORDER BY log_offset
LIMIT 1

-- name: receipt
-- Where one delivery is, by its receipt, without its body.
SELECT
    (
        SELECT groupArray((toUnixTimestamp64Milli(received_at), toString(source), toString(event_type), type_number > 0))
        FROM (SELECT received_at, source, event_type, type_number FROM rollcall.event_rows WHERE event_id = {id:UUID} ORDER BY log_offset LIMIT 1)
    ) AS stored,
    (
        SELECT groupArray((toUnixTimestamp64Milli(received_at), toString(source), reasons, problems))
        FROM (SELECT received_at, source, reasons, problems FROM rollcall.failed_event_rows WHERE event_id = {id:UUID} ORDER BY log_offset LIMIT 1)
    ) AS failed,
    (
        SELECT groupArray((toUnixTimestamp64Milli(received_at), toString(source)))
        FROM (SELECT received_at, source FROM rollcall.repeat_rows FINAL WHERE event_id = {id:UUID} ORDER BY received_at LIMIT 100)
    ) AS repeats,
    (SELECT groupArray(replaceAll(toString(fixed_event_id), '-', '')) FROM (SELECT fixed_event_id FROM rollcall.failed_event_fixes WHERE event_id = {id:UUID} ORDER BY fixed_at DESC LIMIT 1)) AS fixed_as,
    (SELECT sum(records) FROM rollcall.waiting) AS waiting,
    (SELECT toUnixTimestamp64Milli(complete_through) FROM rollcall.complete_through) AS through
