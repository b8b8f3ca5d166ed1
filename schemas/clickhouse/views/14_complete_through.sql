-- How far everything acknowledged is in the store, by the log that is read at present: its generation is in the upper bits of the offsets.
-- Unknown before each of its partitions has a position. A spool holds it back at its oldest delivery, until the log was read past the
-- moment at which the spool was seen empty. It is never later than now by the store's clock. That nothing waits is recorded by that clock,
-- so a consumer whose own is ahead does not hold it back; the receipt of a delivery by a clock that is ahead does not count until then (a
-- few minutes are the usual difference between two machines). The log that a moved store was read from is over: it has 2200, and is no
-- partition.
CREATE OR REPLACE VIEW rollcall.complete_through
(
    complete_through Nullable(DateTime64(3, 'UTC')) COMMENT 'Everything acknowledged before this instant is stored; null = unknown'
) AS
WITH
    (
        SELECT (max(generation), argMax(partitions, generation))
        FROM (SELECT generation, max(partitions) AS partitions FROM rollcall.logs GROUP BY generation)
    ) AS log,
    (
        SELECT (argMax(through, generation), argMax(partitions, generation), count())
        FROM
        (
            SELECT generation, min(each.through) AS through, countIf(each.through < '2200-01-01') AS partitions
            FROM
            (
                SELECT
                    bitShiftRight(next_offset, 43) AS generation,
                    maxIf(complete_through, complete_through <= now64(3, 'UTC') + INTERVAL 5 MINUTE OR complete_through >= '2200-01-01') AS through
                FROM rollcall.log_positions
                GROUP BY generation, log_partition
            ) AS each
            GROUP BY generation
        )
    ) AS read,
    (
        SELECT minIf(oldest_at, oldest_at > toDateTime64(0, 3, 'UTC') AND (records > 0 OR emptied_at > read.1))
        FROM rollcall.waiting_rows FINAL
        WHERE place = 'spool'
    ) AS spooled
SELECT if(
    read.3 = 0 OR read.2 < log.2 OR read.1 = toDateTime64(0, 3, 'UTC'),
    NULL,
    least(now64(3, 'UTC'), if(spooled > toDateTime64(0, 3, 'UTC'), least(read.1, spooled), read.1))
) AS complete_through
COMMENT 'How far everything acknowledged is in the store'
