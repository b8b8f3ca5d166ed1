-- name: arrivals
-- Events of the last hour by minute and of 48 hours by hour, and in the row of no moment how long each took from the event to our receipt.
SELECT
    toUnixTimestamp(if(received_at >= {hour_ago:DateTime64(3, 'UTC')}, toStartOfMinute(received_at), toStartOfHour(received_at))) AS at,
    count() AS events,
    countIf(received_at >= {day_ago:DateTime64(3, 'UTC')} AND type_number > 0 AND source != 'reconcile') AS timed,
    quantilesExactIf(0.5, 0.9)(
        greatest(toInt64(0), dateDiff('millisecond', event_time, received_at)),
        received_at >= {day_ago:DateTime64(3, 'UTC')} AND type_number > 0 AND source != 'reconcile'
    ) AS delays
FROM rollcall.event_rows
WHERE received_at >= {from:DateTime64(3, 'UTC')} AND received_at < {end:DateTime64(3, 'UTC')}
GROUP BY GROUPING SETS ((at), ())

-- name: failed-arrivals
-- Failed events since an instant, by minute.
SELECT toUnixTimestamp(toStartOfMinute(received_at)) AS at, count() AS events
FROM rollcall.failed_event_rows
WHERE received_at > {from:DateTime64(3, 'UTC')}
GROUP BY at

-- name: ledger
-- Of the last day.
SELECT line.source AS source, sum(line.stored) AS stored, sum(line.repeated) AS repeated, sum(line.failed) AS failed
FROM rollcall.ledger AS line
WHERE line.hour > toDateTime({now:DateTime64(3, 'UTC')}) - INTERVAL 25 HOUR
GROUP BY source
ORDER BY source

-- name: ledger-total
SELECT given, waiting, stored, repeated, failed, lost, difference
FROM rollcall.ledger_total

-- name: reconciled
-- How many people were compared with the platform, and when last; the engine's version.
SELECT count() AS people, toUnixTimestamp64Milli(max(checked_at)) AS last_at, version() AS store_version
FROM rollcall.reconcile_checks FINAL
WHERE outcome != 'failed'

-- name: findings
-- What reconciliation found.
SELECT kind, action, count() AS count
FROM rollcall.drift_report
WHERE found_at > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
GROUP BY kind, action
ORDER BY kind, action

-- name: silence
SELECT received, last_at AS lastAt, window_seconds AS windowSeconds, same_window AS sameWindow
FROM rollcall.silence_at(now = {now:DateTime64(3, 'UTC')}, weeks_before = {weeks_before:Array(Int64)})

-- name: oddities
-- Deliveries whose form differs from the specification (by field), with times that are no times of today, of types that Rollcall does not know, and whose statements contradict
-- each other: per contradiction (its bit), and of any kind (bit 0). Fields that are not specified, or required and absent.
SELECT kind, name, events, first_seen, last_seen
FROM
(
    SELECT
        arrayJoin(arrayConcat(
            arrayMap(field -> (multiIf(endsWith(field, ' (before 2000)'), 'early', endsWith(field, ' (ahead)'), 'ahead', 'retyped'), splitByChar(' ', toString(field))[1]), drift),
            if(type_number = 0, [('event_type', toString(event_type))], []),
            if(contradictions = 0, [], arrayMap(bit -> ('contradiction', toString(bit)), arrayConcat([0], bitmaskToArray(contradictions))))
        )) AS odd,
        odd.1 AS kind,
        odd.2 AS name,
        count() AS events,
        toUnixTimestamp64Milli(min(received_at)) AS first_seen,
        toUnixTimestamp64Milli(max(received_at)) AS last_seen
    FROM rollcall.event_rows
    WHERE notEmpty(drift) OR type_number = 0 OR contradictions != 0
    GROUP BY odd
    UNION ALL
    SELECT ('', '') AS odd, toString(field.kind) AS kind, path AS name, sum(field.events), toUnixTimestamp64Milli(min(field.first_seen)), toUnixTimestamp64Milli(max(field.last_seen))
    FROM rollcall.drift_fields AS field
    GROUP BY field.kind, path
)
ORDER BY last_seen DESC, kind, name
LIMIT 200 BY kind

-- name: missing-lists
-- Lists that the platform did not have when it was last asked.
SELECT list, path
FROM rollcall.offered_lists
WHERE NOT is_offered AND refused_at > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
ORDER BY list, path
