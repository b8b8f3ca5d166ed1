CREATE TABLE IF NOT EXISTS rollcall.failed_event_rows
(
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    received_at DateTime64(3, 'UTC') COMMENT 'When ingest had the whole body, first delivery',
    source LowCardinality(String) COMMENT 'Name of the ingest token by which it came',
    reasons Array(LowCardinality(String)) COMMENT 'Every reason why it cannot be used, from a closed list',
    problems Array(String) COMMENT 'The same in words, with the path of the field',
    log_partition UInt32 COMMENT 'Partition of the event log',
    log_offset UInt64 COMMENT 'Offset in that partition',
    first_delivery UInt64 MATERIALIZED 18446744073709551615 - log_offset COMMENT 'Highest for the earliest delivery, which is the one that merges keep',
    body_base64 String EPHEMERAL COMMENT 'How a body is inserted: base64, so that any byte survives',
    body String DEFAULT base64Decode(body_base64) COMMENT 'The raw body, byte for byte' CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(first_delivery)
ORDER BY event_id
SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Deliveries that were acknowledged or refused as unusable, and kept'
