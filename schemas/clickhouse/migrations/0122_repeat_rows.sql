-- Deliveries of what an earlier delivery has brought: they change no number, and a person who asks for a receipt is told of them.
CREATE TABLE IF NOT EXISTS rollcall.repeat_rows
(
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    received_at DateTime64(3, 'UTC') COMMENT 'When ingest had the whole body',
    source LowCardinality(String) COMMENT 'Name of the ingest token by which it came',
    log_partition UInt32 COMMENT 'Partition of the event log',
    log_offset UInt64 COMMENT 'Offset in that partition'
)
ENGINE = ReplacingMergeTree
ORDER BY (event_id, log_partition, log_offset)
TTL toDateTime(received_at) + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Repeated deliveries of the last 90 days'
