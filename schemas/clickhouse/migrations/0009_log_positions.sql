-- Written last of all in a batch: what it says is stored, is stored. Rows tile the log without gap or overlap, so their sums
-- are the ledger. While nothing arrives the last row (first = next) is written anew with a later complete_through.
CREATE TABLE IF NOT EXISTS rollcall.log_positions
(
    log_partition UInt32 COMMENT 'Partition of the event log',
    first_offset UInt64 COMMENT 'First offset of the batch',
    next_offset UInt64 COMMENT 'The offset after its last record; equal to first_offset while nothing arrives',
    recorded_at DateTime64(3, 'UTC') COMMENT 'When the batch was stored',
    complete_through DateTime64(3, 'UTC') COMMENT 'Everything of this partition acknowledged before this instant is stored',
    ledger Array(Tuple(source String, hour DateTime('UTC'), acknowledged UInt64, stored UInt64, duplicate UInt64, failed UInt64)) COMMENT 'Deliveries of the batch per token name and hour of receipt'
)
ENGINE = ReplacingMergeTree(recorded_at)
ORDER BY (log_partition, first_offset, next_offset)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'How far the event log is stored'
