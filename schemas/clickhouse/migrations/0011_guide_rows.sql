-- What the platform's API says of guides: the answer observed last counts. Filled by the pull of guides.
CREATE TABLE IF NOT EXISTS rollcall.guide_rows
(
    guide_id String COMMENT 'Id of the guide',
    observed_at DateTime64(3, 'UTC') COMMENT 'When the answer that says so arrived',
    title String COMMENT 'Title; empty = unknown',
    tasks UInt32 COMMENT 'Number of tasks',
    test_questions UInt32 COMMENT 'Number of test questions',
    tags Array(LowCardinality(String)) COMMENT 'Tags',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was made; the epoch = unknown',
    updated_at DateTime64(3, 'UTC') COMMENT 'When it was last changed; the epoch = unknown'
)
ENGINE = ReplacingMergeTree(observed_at)
ORDER BY guide_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Guides as pulled from the platform'
