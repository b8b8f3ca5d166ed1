-- name: positions
-- How far each partition is read, from which `toCompleteThrough` makes the answer of the view `complete_through`: the view itself takes the
-- engine longer to plan. Asked before the data, in a statement of its own: within one, the engine may have looked at the data first, and this
-- would claim what they do not hold yet (seen once in a thousand readings under writes).
SELECT groupArray(through) AS positions, toUnixTimestamp64Milli(now64(3)) AS now
FROM
(
    SELECT
        toUnixTimestamp64Milli(max(complete_through)) AS through
    FROM rollcall.log_positions
    WHERE next_offset >= (SELECT max(log_begin) FROM rollcall.log_positions)
    GROUP BY log_partition
)

-- name: holding-back
-- What may hold back the positions, and whether anything waited when it was last looked at. Read after them. It seldom changes.
SELECT
    groupArrayIf((records, toUnixTimestamp64Milli(oldest_at), toUnixTimestamp64Milli(emptied_at)), place = 'spool') AS spools,
    countIf(place = 'log' AND records > 0) > 0 AS in_log
FROM rollcall.waiting_rows FINAL

-- name: last-stored
-- While nothing arrives, positions are written again without a record between their offsets.
SELECT toString(maxIf(recorded_at, next_offset > first_offset)) AS stored_at FROM rollcall.log_positions

-- name: has-guides
-- Whether anybody was ever given a guide.
SELECT 1 FROM rollcall.guide_assignment_rows LIMIT 1

-- name: waiting
-- How much waits, and whether storing makes progress.
SELECT
    sum(part.records) AS waiting,
    argMinIf(part.reason, part.stalled_ms, part.stalled_ms > 0) AS reason,
    minIf(part.stalled_ms, part.stalled_ms > 0) AS stalled_since,
    minIf(part.reported_ms, part.records > 0) AS reported_at
FROM
(
    SELECT records, reason, toUnixTimestamp64Milli(reported_at) AS reported_ms, if(records > 0, toUnixTimestamp64Milli(stalled_since), toInt64(0)) AS stalled_ms
    FROM rollcall.waiting
) AS part

-- name: sample
SELECT 1 FROM rollcall.settings WHERE name = 'sample' AND value = 'true' LIMIT 1
