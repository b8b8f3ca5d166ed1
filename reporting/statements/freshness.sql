-- name: complete-through
-- How far everything acknowledged is in the store. Asked before the data, in a statement of its own: within one, the engine may
-- have looked at the data first, and this would claim what they do not hold yet (seen once in a thousand readings under writes).
SELECT toUnixTimestamp64Milli(complete_through) AS complete_through
FROM rollcall.complete_through

-- name: stored-through
-- A number that grows with every stored batch and stays the same while nothing arrives.
SELECT toString(sum(next_offset)) AS stored
FROM
(
    SELECT log_partition, max(next_offset) AS next_offset FROM rollcall.log_positions GROUP BY log_partition
)

-- name: reported
-- Whether anything waited when it was last looked at, and whether anybody was ever given a guide. No event changes that.
SELECT
    countIf(place = 'log' AND records > 0) > 0 AS in_log,
    countIf(place = 'spool' AND records > 0) > 0 AS in_spools,
    (SELECT count() > 0 FROM (SELECT 1 FROM rollcall.guide_assignment_rows LIMIT 1)) AS has_guides
FROM rollcall.waiting_rows FINAL

-- name: waiting
-- How much waits, and whether storing makes progress.
SELECT
    sum(part.records) AS waiting,
    sumIf(part.records, part.place = 'spool') AS in_spools,
    countIf(part.stalled_ms > 0) AS stalled,
    argMinIf(part.reason, part.stalled_ms, part.stalled_ms > 0) AS reason,
    minIf(part.stalled_ms, part.stalled_ms > 0) AS stalled_since,
    minIf(part.reported_ms, part.records > 0) AS reported_at,
    (SELECT count() > 0 FROM rollcall.log_positions) AS has_begun
FROM
(
    SELECT place, records, reason, toUnixTimestamp64Milli(reported_at) AS reported_ms, if(records > 0, toUnixTimestamp64Milli(stalled_since), toInt64(0)) AS stalled_ms
    FROM rollcall.waiting
) AS part

-- name: sample
SELECT 1 FROM rollcall.settings WHERE name = 'sample' AND value = 'true' LIMIT 1
