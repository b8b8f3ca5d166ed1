-- The analysts' contract: where every acknowledged delivery is, per source and hour of receipt. A batch that was
-- recorded twice counts once (FINAL). A delivery is a record of a log: where a log was read anew, as one that took another's place,
-- its deliveries count anew, and those that were stored are duplicates.
-- Ingest counts its receipts itself, apart from the log (acknowledged_rows). What it has counted beyond the log's records is missing,
-- as soon as everything received before the report is stored. It may have counted less: it was killed between log and receipt.
-- A replay of failed events counts what it adds to the log in the same way.
CREATE OR REPLACE VIEW rollcall.ledger
(
    source String COMMENT 'Name of the ingest token; (not read yet): in the log or a spool; (lost): gone from the log before it was stored, or given up with a spool',
    hour DateTime('UTC') COMMENT 'Hour of receipt; of what is not read yet, of the oldest; of what is lost, about when',
    acknowledged UInt64 COMMENT 'Deliveries that were acknowledged',
    waiting UInt64 COMMENT 'In the log or in a spool, not stored yet',
    stored UInt64 COMMENT 'Stored as events',
    duplicate UInt64 COMMENT 'Repeats of a delivery that is stored or failed',
    failed UInt64 COMMENT 'Kept as failed events, with a reason',
    difference Int64 COMMENT 'Acknowledged less all the others: 0, or something is lost',
    answered UInt64 COMMENT 'Receipts as ingest has counted them itself, as of some seconds ago, and failed events that were replayed; 0 = not counted'
) AS
SELECT
    source,
    hour,
    toUInt64(if(source = '(lost)', greatest(toInt64(0), least(toInt64(recorded), toInt64(lost_through) - toInt64(explained))), toInt64(recorded + missing))) AS acknowledged,
    waiting,
    stored,
    duplicate,
    failed,
    toInt64(acknowledged) - toInt64(waiting) - toInt64(stored) - toInt64(duplicate) - toInt64(failed) AS difference,
    answered
FROM
(
    -- What is missing of a source and an hour explains as many records of which only the log knows that they are lost.
    SELECT *, sum(missing) OVER () AS explained, sum(if(source = '(lost)', recorded, toUInt64(0))) OVER (ORDER BY hour) AS lost_through
    FROM
    (
        SELECT
            source,
            hour,
            sum(entry.1) AS recorded,
            sum(entry.2) AS waiting,
            sum(entry.3) AS stored,
            sum(entry.4) AS duplicate,
            sum(entry.5) AS failed,
            sum(entry.6) AS answered,
            toUInt64(greatest(toInt64(0), toInt64(sum(entry.7)) - toInt64(recorded))) AS missing
        FROM
        (
            SELECT entry.source AS source, entry.hour AS hour, (entry.acknowledged, toUInt64(0), entry.stored, entry.duplicate, entry.failed, toUInt64(0), toUInt64(0)) AS entry
            FROM rollcall.log_positions FINAL
            ARRAY JOIN ledger AS entry
            UNION ALL
            SELECT '(not read yet)', toStartOfHour(toDateTime(if(toUnixTimestamp64Milli(oldest_at) = 0, reported_at, oldest_at), 'UTC')), (records, records, toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0))
            FROM rollcall.waiting
            WHERE records > 0
            UNION ALL
            -- What a spool held that the owner has given up (rollcall ledger forget).
            SELECT '(lost)', toStartOfHour(toDateTime(if(toUnixTimestamp64Milli(oldest_at) = 0, reported_at, oldest_at), 'UTC')), (records, toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0))
            FROM rollcall.waiting_rows FINAL
            WHERE place = 'lost' AND records > 0
            UNION ALL
            -- Offsets that no position covers, beyond those whose loss the reader has recorded: removed before they were read.
            SELECT '(lost)', hour, (missing, toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0))
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
            UNION ALL
            SELECT source, hour, (toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), answered, if(hour >= begin, settled, toUInt64(0)))
            FROM
            (
                WITH (SELECT toUnixTimestamp64Milli(ifNull(complete_through, toDateTime64(0, 3, 'UTC'))) FROM rollcall.complete_through) AS through
                SELECT
                    source,
                    hour,
                    max(acknowledged) AS answered,
                    maxIf(acknowledged, toUnixTimestamp64Milli(counted_at) <= through) AS settled,
                    -- A store that was filled from what a log still had cannot know of the hours before, nor of all in the first one.
                    (
                        SELECT max(if(bitAnd(first, 8796093022207) = 0, toDateTime(0, 'UTC'), began + 3600))
                        FROM
                        (
                            SELECT min(first_offset) AS first, argMin(arrayMin(arrayMap(each -> each.hour, ledger)), first_offset) AS began
                            FROM rollcall.log_positions
                            WHERE notEmpty(ledger)
                            GROUP BY log_partition
                        )
                    ) AS begin
                FROM rollcall.acknowledged_rows FINAL
                GROUP BY holder, source, hour
            )
        )
        GROUP BY source, hour
    )
)
WHERE acknowledged > 0 OR answered > 0
COMMENT 'Where every acknowledged delivery is, per source and hour'
