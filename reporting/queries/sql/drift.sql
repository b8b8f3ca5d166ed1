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
