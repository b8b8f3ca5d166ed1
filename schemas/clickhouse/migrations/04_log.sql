-- How far the event log is stored, and what waits.

-- Written last of all in a batch: what it says is stored, is stored. Rows tile the log: a gap between two rows is lost, and an overlap
-- was stored twice. While nothing arrives, the last row (first = next) is written again with a later complete_through.
CREATE TABLE IF NOT EXISTS rollcall.log_positions
(
    log_partition UInt32 COMMENT 'Partition of the event log',
    first_offset UInt64 COMMENT 'First offset of the batch',
    next_offset UInt64 COMMENT 'The offset after the batch; equal to first_offset while nothing arrives',
    log_id LowCardinality(String) COMMENT 'Which log: the id of the Kafka topic or of the log file',
    log_begin UInt64 COMMENT 'The offset here of the log''s offset 0: those of an adopted log continue after the ones before',
    skipped UInt64 COMMENT 'Offsets of the batch that are no deliveries, such as marks and aborted records of transactions',
    recorded_at DateTime64(3, 'UTC') COMMENT 'When the batch was stored',
    through DateTime64(3, 'UTC') EPHEMERAL COMMENT 'How complete_through is inserted',
    complete_through DateTime64(3, 'UTC') DEFAULT least(through, now64(3, 'UTC')) COMMENT 'Everything of this partition acknowledged before this instant is stored; never later than the time of the store',
    ledger Array(Tuple(source String, hour DateTime('UTC'), stored UInt64, repeated UInt64, failed UInt64)) COMMENT 'Deliveries of the batch per token name and hour of receipt'
)
ENGINE = ReplacingMergeTree(recorded_at)
ORDER BY (log_partition, first_offset, next_offset)
SETTINGS merge_selector_base = 12, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'How far the event log is stored';

-- What is acknowledged and not stored yet, as the consumer last saw it. Written while something waits, and once when nothing does any
-- more; the store says what was stored since (see the view waiting).
CREATE TABLE IF NOT EXISTS rollcall.waiting_rows
(
    place Enum8('log' = 1, 'spool' = 2, 'lost' = 3) COMMENT 'log: in the event log; spool: on the disk of an ingest process, before the log; lost: in a spool that the owner has given up',
    holder String COMMENT 'Partition of the event log, or the admin address of the ingest process; of what is lost, with the time of the report',
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
COMMENT 'What waits to be stored, as last seen';
