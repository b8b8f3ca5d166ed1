-- What is acknowledged and not stored yet, as the consumer last saw it. Written while something waits, and once when nothing does any
-- more; the store says what was stored since (see the view waiting).
CREATE TABLE IF NOT EXISTS rollcall.waiting_rows
(
    place Enum8('log' = 1, 'spool' = 2) COMMENT 'log: in the event log; spool: on the disk of an ingest process, before the log',
    holder String COMMENT 'Partition of the event log, or the admin address of the ingest process',
    records UInt64 COMMENT 'Deliveries that waited',
    oldest_at DateTime64(3, 'UTC') COMMENT 'When the oldest of them was received; of an empty spool, the oldest that it held before; the epoch = unknown',
    emptied_at DateTime64(3, 'UTC') COMMENT 'Of a spool: when it was first seen empty again; the epoch = it is not, or never held anything',
    stalled_since DateTime64(3, 'UTC') COMMENT 'Since when nothing was stored although deliveries waited; the epoch = it goes on',
    code LowCardinality(String) COMMENT 'Why, as a code; empty = unknown',
    reason String COMMENT 'The same in words, without anything of a delivery',
    reported_at DateTime64(3, 'UTC') COMMENT 'When this was seen; the later row counts'
)
ENGINE = ReplacingMergeTree(reported_at)
ORDER BY (place, holder)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'What waits to be stored, as last seen'
