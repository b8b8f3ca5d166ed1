CREATE TABLE IF NOT EXISTS rollcall.settings
(
    name LowCardinality(String) COMMENT 'time_zone, due_zone, due_end; sample = whether the data comes from the stand-in platform',
    value String COMMENT 'Its value',
    set_at DateTime64(3, 'UTC') COMMENT 'When a process started with it'
)
ENGINE = ReplacingMergeTree(set_at)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Settings that views need: zones and due end, as last configured'
