-- Which failed events a person has put right. Written before the fixed delivery goes to the log: until that one is stored, the failed
-- event stays one.
CREATE TABLE IF NOT EXISTS rollcall.failed_event_fixes
(
    event_id UUID COMMENT 'The failed event',
    fixed_event_id UUID COMMENT 'The event made of it: the first 128 bits of SHA-256 over its body',
    fixed_at DateTime64(3, 'UTC') COMMENT 'When'
)
ENGINE = ReplacingMergeTree
ORDER BY (event_id, fixed_event_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Failed events that a person has put right'
