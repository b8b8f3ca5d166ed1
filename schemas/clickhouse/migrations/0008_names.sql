CREATE TABLE IF NOT EXISTS rollcall.names
(
    kind LowCardinality(String) COMMENT 'challenge or team',
    id String COMMENT 'Id of the challenge or group',
    name String COMMENT 'A title or name that was sent for it',
    last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'Event time of the last event that says so'
)
ENGINE = AggregatingMergeTree
ORDER BY (kind, id, name)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Titles of challenges and names of teams; the one last seen is shown'
