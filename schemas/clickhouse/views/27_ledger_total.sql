-- The analysts' contract: where every delivery is that was given an offset or that a spool holds. Offsets are counted apart from the
-- deliveries, so `difference` shows those that were read and are nowhere, and those that two consumers have counted.
CREATE OR REPLACE VIEW rollcall.ledger_total
(
    given Int64 COMMENT 'Webhooks with an offset in the event log, or in a spool',
    waiting Int64 COMMENT 'In the log or in a spool, not stored yet',
    stored Int64 COMMENT 'Stored as events',
    repeated Int64 COMMENT 'Repeats of a webhook that is stored or failed',
    failed Int64 COMMENT 'Kept as failed events, with a reason',
    lost Int64 COMMENT 'Removed from the log before they were read, or in a written-off spool',
    difference Int64 COMMENT 'Given minus all others: if not 0, the ledger does not add up'
) AS
SELECT
    read.deliveries + waiting + lost AS given,
    (SELECT toInt64(sum(records)) FROM rollcall.waiting) AS waiting,
    read.stored AS stored,
    read.repeated AS repeated,
    read.failed AS failed,
    read.gaps + (SELECT toInt64(sum(records)) FROM rollcall.waiting_rows FINAL WHERE place = 'lost') AS lost,
    read.deliveries - read.stored - read.repeated - read.failed AS difference
FROM
(
    SELECT
        -- An offset that two rows have counts once.
        sum(greatest(0, toInt64(next_offset) - toInt64(greatest(first_offset, reached)))) - sum(toInt64(skipped)) AS deliveries,
        sum(if(nth > 1 AND first_offset > reached, toInt64(first_offset - reached), 0)) AS gaps,
        sum(toInt64(arraySum(ledger.stored))) AS stored,
        sum(toInt64(arraySum(ledger.repeated))) AS repeated,
        sum(toInt64(arraySum(ledger.failed))) AS failed
    FROM
    (
        SELECT
            first_offset,
            next_offset,
            skipped,
            ledger,
            row_number() OVER (PARTITION BY log_partition, log_begin ORDER BY first_offset, next_offset) AS nth,
            max(next_offset) OVER (PARTITION BY log_partition, log_begin ORDER BY first_offset, next_offset ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
        FROM rollcall.log_positions FINAL
        -- Not that a partition is at its begin.
        WHERE next_offset > first_offset OR complete_through > toDateTime64(0, 3, 'UTC')
    )
) AS read
COMMENT 'Where every webhook is, in total'
