-- name: attributes-sent
-- Names of custom attributes of the newest bodies; one that could not be allowed may be anything.
SELECT arrayJoin(JSONExtract(body, 'user', 'customAttributes', 'Array(Tuple(apiName Nullable(String)))')).1 AS name
FROM rollcall.event_bodies
WHERE event_id IN (SELECT event_id FROM rollcall.event_rows ORDER BY received_at DESC LIMIT 1000)
  AND match(name, '^[A-Za-z][A-Za-z0-9_-]{0,60}$')
GROUP BY name
ORDER BY count() DESC, name

-- name: attributes-stored
SELECT DISTINCT arrayJoin(mapKeys(attributes)) AS name FROM rollcall.user_observations

-- name: broken-parts
-- Parts that the engine could not read when it started, and has put aside since.
SELECT table, toUInt32(count()) AS parts
FROM system.detached_parts
WHERE database = 'rollcall' AND startsWith(reason, 'broken')
GROUP BY table
ORDER BY table

-- name: carried-tables
-- What another store needs: not what follows from the rest, and not how far which log was read.
SELECT table, groupArray(name) AS columns, any(t.create_table_query) NOT LIKE '% TTL %' AS isKeptForever
FROM system.columns AS c
INNER JOIN (SELECT name AS table, create_table_query FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree') AS t USING (table)
WHERE database = 'rollcall' AND default_kind IN ('', 'DEFAULT')
    AND table NOT IN ('open_versions', 'closed_versions', 'user_versions', 'link_versions')
    AND table NOT IN ('schema_migrations', 'settings', 'log_positions', 'waiting_rows')
GROUP BY table
ORDER BY table

-- name: complete-through
SELECT toUnixTimestamp64Milli(complete_through) AS through
FROM rollcall.complete_through
WHERE complete_through IS NOT NULL
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: failed-by-reason
SELECT reason, count() AS events FROM rollcall.failed_events ARRAY JOIN reasons AS reason GROUP BY reason ORDER BY events DESC
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: held-spools
-- Spools that hold webhooks, as they said last.
SELECT
    holder,
    reason AS address,
    records,
    toUnixTimestamp64Milli(oldest_at) AS oldestAt,
    toUnixTimestamp64Milli(reported_at) AS reportedAt
FROM rollcall.waiting_rows FINAL
WHERE place = 'spool' AND records > 0
ORDER BY holder
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: last-successes
SELECT job, toUnixTimestamp64Milli(max(updated_at)) AS at FROM rollcall.job_runs WHERE state = 'succeeded' GROUP BY job
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: ledger-rows
-- The latest hours from one on.
SELECT * EXCEPT at FROM
(
    SELECT hour AS at, formatDateTime(l.hour, '%Y-%m-%dT%H:00Z', 'UTC') AS hour, source, l.stored AS stored, l.repeated AS repeated, l.failed AS failed
    FROM rollcall.ledger AS l
    WHERE l.hour >= toDateTime({from:UInt32}, 'UTC')
    ORDER BY at DESC, source
    LIMIT {limit:UInt32}
)
ORDER BY at, source
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: ledger-problem
SELECT lost, difference
FROM rollcall.ledger_total
WHERE lost != 0 OR difference != 0
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: ledger-total
SELECT given, waiting, stored, repeated, failed, lost, difference
FROM rollcall.ledger_total
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: positions-in-log
-- By the offsets of the log that is read at present.
WITH (SELECT max(log_begin) FROM rollcall.log_positions) AS begin
SELECT log_partition AS partition, max(next_offset) - begin AS next
FROM rollcall.log_positions
WHERE next_offset >= begin
GROUP BY log_partition
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: stall
-- The longest stall that a consumer has reported, and that nothing was stored since.
SELECT toUnixTimestamp64Milli(stalled_since) AS since, code, reason
FROM rollcall.waiting
WHERE records > 0 AND stalled_since > toDateTime64(0, 3, 'UTC')
ORDER BY stalled_since
LIMIT 1
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: unbalanced-rows
-- Every assignment with events has one open version, whatever parts and signs hold it. One whose only webhook was set aside has
-- neither.
SELECT count() AS assignments FROM (
    SELECT akey, assignment_id FROM rollcall.open_versions GROUP BY akey, assignment_id
    HAVING sum(sign) NOT IN (0, 1) OR (sum(sign) = 0 AND akey IN (SELECT akey FROM rollcall.event_rows))
)
HAVING assignments > 0
SETTINGS output_format_json_quote_64bit_integers = 0
