CREATE TABLE IF NOT EXISTS rollcall.access_token_uses
(
    id String COMMENT 'Id of the token',
    used_at DateTime64(3, 'UTC') COMMENT 'When it was last used, to the minute'
)
ENGINE = ReplacingMergeTree(used_at)
ORDER BY id -- One row for each token after merges.
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Last use of API tokens'
