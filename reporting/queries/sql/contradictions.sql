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
