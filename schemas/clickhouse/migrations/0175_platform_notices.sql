-- By which the platform says that it will end something. Each once, however often it is sent.
CREATE TABLE IF NOT EXISTS rollcall.platform_notices
(
    path String COMMENT 'Path of the platform, without ids and query',
    header Enum8('deprecation' = 1, 'sunset' = 2) COMMENT 'Header of the answer',
    value String COMMENT 'As sent, without control characters, at most 200 characters',
    first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')) COMMENT 'When it was sent first',
    last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'And last; written once a day'
)
ENGINE = AggregatingMergeTree
ORDER BY (path, header, value)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Deprecation and Sunset headers of the platform''s answers'
