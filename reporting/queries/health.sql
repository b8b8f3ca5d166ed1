-- name: arrivals
-- Recent arrivals, and how long each took from the event to our receipt. Repeats are counted in the ledger.
WITH
    {now:DateTime64(3, 'UTC')} AS asked,
    arrived AS
    (
        SELECT received_at, event_time, rank > 0 AND source != 'reconcile' AS is_event
        FROM rollcall.event_rows
        WHERE received_at > asked - INTERVAL 48 HOUR AND received_at <= asked
        UNION ALL
        SELECT received_at, received_at, false
        FROM rollcall.failed_event_rows
        WHERE received_at > asked - INTERVAL 48 HOUR AND received_at <= asked
    )
SELECT
    (
        SELECT groupArray((at, events))
        FROM
        (
            SELECT toUnixTimestamp(toStartOfMinute(received_at)) AS at, toUInt32(count()) AS events
            FROM arrived WHERE received_at > asked - INTERVAL 1 HOUR GROUP BY at ORDER BY at
        )
    ) AS minutes,
    (
        SELECT groupArray((at, events))
        FROM (SELECT toUnixTimestamp(toStartOfHour(received_at)) AS at, toUInt32(count()) AS events FROM arrived GROUP BY at ORDER BY at)
    ) AS hours,
    (
        SELECT (toUInt32(count()), quantileExact(0.5)(delay), quantileExact(0.9)(delay))
        FROM
        (
            SELECT greatest(toInt64(0), dateDiff('millisecond', event_time, received_at)) AS delay
            FROM arrived WHERE is_event AND received_at > asked - INTERVAL 24 HOUR
        )
    ) AS delay

-- name: health
-- The ledger, in two parts where there is more than the last day; what reconciliation found; the engine's version.
SELECT
    (
        SELECT groupArray((source, toUInt8(is_shown), a, w, s, d, f, x))
        FROM
        (
            SELECT
                source,
                hour > toDateTime({now:DateTime64(3, 'UTC')}) - INTERVAL 25 HOUR OR difference != 0 AS is_shown,
                sum(acknowledged) AS a,
                sum(waiting) AS w,
                sum(stored) AS s,
                sum(duplicate) AS d,
                sum(failed) AS f,
                sum(difference) AS x
            FROM rollcall.ledger
            GROUP BY source, is_shown
            ORDER BY source
        )
    ) AS ledger,
    (
        SELECT groupArray((kind, action, n))
        FROM
        (
            SELECT kind, action, toUInt32(count()) AS n
            FROM rollcall.drift_report
            WHERE found_at > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
            GROUP BY kind, action
            ORDER BY kind, action
        )
    ) AS findings,
    (SELECT (toUInt32(count()), toUnixTimestamp64Milli(max(checked_at))) FROM rollcall.reconcile_checks FINAL) AS reconciled,
    (SELECT toBool(count() > 0) FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample,
    version() AS store_version

-- name: silence
SELECT received, last_at AS lastAt, window_seconds AS windowSeconds, same_window AS sameWindow
FROM rollcall.silence_at(now = {now:DateTime64(3, 'UTC')}, time_zone = {time_zone:String})

-- name: drift
-- Deliveries whose form differs from the specification, and event types that Rollcall does not know.
SELECT
    kind,
    name,
    toUInt32(events) AS events,
    toUnixTimestamp64Milli(first_seen) AS first_seen,
    toUnixTimestamp64Milli(last_seen) AS last_seen
FROM
(
    SELECT 'retyped' AS kind, toString(field) AS name, count() AS events, min(received_at) AS first_seen, max(received_at) AS last_seen
    FROM rollcall.event_rows
    ARRAY JOIN drift AS field
    GROUP BY name
    UNION ALL
    SELECT 'event_type', toString(event_type) AS name, count(), min(received_at), max(received_at)
    FROM rollcall.event_rows
    WHERE rank = 0
    GROUP BY name
    UNION ALL
    SELECT toString(kind), path AS name, sum(events), min(first_seen), max(last_seen)
    FROM rollcall.drift_fields
    GROUP BY kind, name
)
ORDER BY last_seen DESC, kind, name
LIMIT 200

-- name: contradictions
-- Deliveries whose statements contradict each other: per contradiction (its bit), and of any kind (bit 0).
SELECT
    toUInt32(bit) AS bit,
    toUInt32(count()) AS events,
    toUnixTimestamp64Milli(min(received_at)) AS first_seen,
    toUnixTimestamp64Milli(max(received_at)) AS last_seen
FROM rollcall.event_rows
ARRAY JOIN arrayConcat([0], bitmaskToArray(contradictions)) AS bit
WHERE contradictions != 0
GROUP BY bit
ORDER BY bit

-- name: platform-notices
-- What the platform has announced, as long as it goes on saying so: the last values of each path.
SELECT
    path,
    toString(notice.header) AS header,
    value,
    toUnixTimestamp64Milli(min(notice.first_seen)) AS first_seen,
    toUnixTimestamp64Milli(max(notice.last_seen)) AS last_seen
FROM rollcall.platform_notices AS notice
GROUP BY path, notice.header, value
HAVING max(notice.last_seen) > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
ORDER BY path, header, last_seen DESC, value
LIMIT 3 BY path, header
LIMIT 50

-- name: missing-lists
-- Lists that the platform did not have when it was last asked.
SELECT list, path, toUnixTimestamp64Milli(answered_at) AS answered_at, toUnixTimestamp64Milli(refused_at) AS refused_at
FROM rollcall.offered_lists
WHERE NOT is_offered AND refused_at > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
ORDER BY list, path
