-- The analysts' contract: where every acknowledged delivery is, per source and hour of receipt. A batch that was
-- recorded twice counts once (FINAL). A delivery is a record of a log: where a log was read anew, as one that took another's place,
-- its deliveries count anew, and those that were stored are duplicates.
CREATE OR REPLACE VIEW rollcall.ledger
(
    source String COMMENT 'Name of the ingest token; (not read yet): in the log or a spool; (lost): gone from the log before it was stored, or given up with a spool',
    hour DateTime('UTC') COMMENT 'Hour of receipt; of what is not read yet, of the oldest; of what is lost, about when',
    acknowledged UInt64 COMMENT 'Deliveries that were acknowledged',
    waiting UInt64 COMMENT 'In the log or in a spool, not stored yet',
    stored UInt64 COMMENT 'Stored as events',
    duplicate UInt64 COMMENT 'Repeats of a delivery that is stored or failed',
    failed UInt64 COMMENT 'Kept as failed events, with a reason',
    difference Int64 COMMENT 'Acknowledged less all the others: 0, or something is lost'
) AS
SELECT
    source,
    hour,
    sum(entry.1) AS acknowledged,
    sum(entry.2) AS waiting,
    sum(entry.3) AS stored,
    sum(entry.4) AS duplicate,
    sum(entry.5) AS failed,
    toInt64(acknowledged) - toInt64(waiting) - toInt64(stored) - toInt64(duplicate) - toInt64(failed) AS difference
FROM
(
    SELECT entry.source AS source, entry.hour AS hour, (entry.acknowledged, toUInt64(0), entry.stored, entry.duplicate, entry.failed) AS entry
    FROM rollcall.log_positions FINAL
    ARRAY JOIN ledger AS entry
    UNION ALL
    SELECT '(not read yet)', toStartOfHour(toDateTime(if(toUnixTimestamp64Milli(oldest_at) = 0, reported_at, oldest_at), 'UTC')), (records, records, toUInt64(0), toUInt64(0), toUInt64(0))
    FROM rollcall.waiting
    WHERE records > 0
    UNION ALL
    -- What a spool held that the owner has given up (rollcall ledger forget).
    SELECT '(lost)', toStartOfHour(toDateTime(if(toUnixTimestamp64Milli(oldest_at) = 0, reported_at, oldest_at), 'UTC')), (records, toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0))
    FROM rollcall.waiting_rows FINAL
    WHERE place = 'lost' AND records > 0
    UNION ALL
    -- Offsets that no position covers, beyond those whose loss the reader has recorded: removed before they were read.
    SELECT '(lost)', hour, (missing, toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0))
    FROM
    (
        SELECT
            toStartOfHour(toDateTime(argMax(recorded_at, gap), 'UTC')) AS hour,
            toUInt64(greatest(toInt64(0), toInt64(sum(gap)) - toInt64(sum(lost)))) AS missing
        FROM
        (
            SELECT
                log_partition,
                bitShiftRight(next_offset, 43) AS generation,
                recorded_at,
                arraySum(each -> if(each.source = '(lost)', each.acknowledged, toUInt64(0)), ledger) AS lost,
                max(next_offset) OVER (PARTITION BY log_partition, bitShiftRight(next_offset, 43) ORDER BY first_offset, next_offset ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before,
                if(before > 0 AND first_offset > before, toUInt64(first_offset - before), toUInt64(0)) AS gap
            FROM rollcall.log_positions FINAL
        )
        GROUP BY log_partition, generation
    )
    WHERE missing > 0
)
GROUP BY source, hour
COMMENT 'Where every acknowledged delivery is, per source and hour'
