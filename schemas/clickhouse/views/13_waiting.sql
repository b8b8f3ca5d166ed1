-- What waits, less what was stored since it was last seen: a report that is some seconds old claims nothing that is wrong by now.
CREATE OR REPLACE VIEW rollcall.waiting
(
    place String COMMENT 'log: in the event log; spool: on the disk of an ingest process, before the log',
    holder String COMMENT 'Partition of the event log, or the id of the spool',
    records UInt64 COMMENT 'Deliveries that wait; 0 = none',
    oldest_at DateTime64(3, 'UTC') COMMENT 'When the oldest was received; the epoch = unknown',
    emptied_at DateTime64(3, 'UTC') COMMENT 'Of a spool: when it was first seen empty again; the epoch = it is not, or never held anything',
    stalled_since DateTime64(3, 'UTC') COMMENT 'Since when nothing was stored although deliveries wait; the epoch = it goes on',
    code String COMMENT 'Why, as a code; empty = unknown',
    reason String COMMENT 'The same in words; of a spool, the admin address of its ingest process',
    reported_at DateTime64(3, 'UTC') COMMENT 'When this was seen'
) AS
WITH
    reports AS (SELECT * FROM rollcall.waiting_rows FINAL WHERE place != 'lost'),
    since AS
    (
        SELECT log_partition, recorded_at, toUInt64(next_offset - first_offset) AS stored
        FROM rollcall.log_positions
        WHERE next_offset > first_offset AND recorded_at > (SELECT min(reported_at) FROM reports WHERE place = 'log')
    )
SELECT
    toString(report.place) AS place,
    report.holder AS holder,
    toUInt64(greatest(toInt64(0), toInt64(any(report.records)) - toInt64(sumIf(since.stored, since.recorded_at > report.reported_at)))) AS records,
    any(report.oldest_at) AS oldest_at,
    any(report.emptied_at) AS emptied_at,
    if(countIf(since.stored > 0 AND since.recorded_at > report.reported_at) > 0, toDateTime64(0, 3, 'UTC'), any(report.stalled_since)) AS stalled_since,
    toString(any(report.code)) AS code,
    any(report.reason) AS reason,
    report.reported_at AS reported_at
FROM reports AS report
LEFT JOIN since ON report.place = 'log' AND toString(since.log_partition) = report.holder
GROUP BY place, holder, report.reported_at
COMMENT 'What is acknowledged and not stored yet'
