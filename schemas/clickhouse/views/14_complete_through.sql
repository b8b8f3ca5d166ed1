-- How far everything acknowledged is in the store, by the log that is read at present (the one with the highest begin). Unknown before each
-- of its partitions has a position after its begin. A spool holds it back at its oldest delivery, until the log was read past the
-- moment at which the spool was seen empty. It is never later than now by the store's clock.
CREATE OR REPLACE VIEW rollcall.complete_through
(
    complete_through Nullable(DateTime64(3, 'UTC')) COMMENT 'Everything acknowledged before this instant is stored; null = unknown'
) AS
WITH
    (
        SELECT min(through)
        FROM
        (
            SELECT max(complete_through) AS through
            FROM rollcall.log_positions
            WHERE next_offset >= (SELECT max(log_begin) FROM rollcall.log_positions)
            GROUP BY log_partition
        )
    ) AS read,
    (
        SELECT minIf(oldest_at, oldest_at > toDateTime64(0, 3, 'UTC') AND (records > 0 OR emptied_at > read))
        FROM rollcall.waiting_rows FINAL
        WHERE place = 'spool'
    ) AS spooled
SELECT if(
    read = toDateTime64(0, 3, 'UTC'),
    NULL,
    least(now64(3, 'UTC'), if(spooled > toDateTime64(0, 3, 'UTC'), least(read, spooled), read))
) AS complete_through
COMMENT 'How far everything acknowledged is in the store'
