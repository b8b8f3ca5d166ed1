-- Written ahead of the calls, so that a restart does not begin a new hour. Rows older than that hour are of no use.
CREATE TABLE IF NOT EXISTS rollcall.platform_calls
(
    minute DateTime('UTC') COMMENT 'Minute in which the calls were made',
    process String COMMENT 'Which process made them; a new id at every start',
    calls UInt32 COMMENT 'Calls of this process to the platform in that minute, or as many as it may make',
    recorded_at DateTime64(3, 'UTC') COMMENT 'When this was written; the later row counts'
)
ENGINE = ReplacingMergeTree(recorded_at)
ORDER BY (minute, process)
TTL minute + INTERVAL 2 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'How much of the platform''s call limit was used, minute by minute'
