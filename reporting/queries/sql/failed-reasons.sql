-- A delivery may have several reasons: `total` counts it once.
SELECT
    reason,
    toUInt32((SELECT count() FROM rollcall.failed_events)) AS total,
    toUInt32(count()) AS events,
    toUnixTimestamp64Milli(min(received_at)) AS first_seen,
    toUnixTimestamp64Milli(max(received_at)) AS last_seen,
    arraySort(groupUniqArray(20)(source)) AS sources
FROM rollcall.failed_events
ARRAY JOIN reasons AS reason
GROUP BY reason
ORDER BY events DESC, reason
