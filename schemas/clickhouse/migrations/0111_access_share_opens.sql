CREATE TABLE IF NOT EXISTS rollcall.access_share_opens
(
    id String COMMENT 'Id of the share link',
    day Date COMMENT 'Day in UTC',
    opened SimpleAggregateFunction(sum, UInt64) COMMENT 'How often it was opened on this day',
    opened_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'When it was last opened'
)
ENGINE = AggregatingMergeTree
ORDER BY (id, day) -- One row for each link and day after merges.
TTL day + INTERVAL 400 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'How often share links were opened'
