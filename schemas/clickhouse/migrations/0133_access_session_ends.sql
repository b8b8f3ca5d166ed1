-- Sessions are sealed cookies; what ends one early stands here until it would have ended anyway.
CREATE TABLE IF NOT EXISTS rollcall.access_session_ends
(
    subject String COMMENT 'session:<id>, or login:<login> for every session of a person that began before',
    ended_at DateTime64(3, 'UTC') COMMENT 'From when'
)
ENGINE = ReplacingMergeTree(ended_at)
ORDER BY subject
TTL toDateTime(ended_at) + INTERVAL 31 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Sessions of the dashboards that were ended'
