-- Raw bodies apart from the typed rows: nobody scans them, and they are most of the bytes.
CREATE TABLE IF NOT EXISTS rollcall.event_bodies
(
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    body_base64 String EPHEMERAL COMMENT 'How a body is inserted: base64, so that any byte survives',
    body String DEFAULT base64Decode(body_base64) COMMENT 'The raw body, byte for byte' CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree
ORDER BY event_id
SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Raw bodies of stored events'
