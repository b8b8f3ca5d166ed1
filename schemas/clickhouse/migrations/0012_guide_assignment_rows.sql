-- What the platform's API says of assignments of guides to people: the answer observed last counts.
CREATE TABLE IF NOT EXISTS rollcall.guide_assignment_rows
(
    assignment_id String COMMENT 'Id of the guide assignment',
    observed_at DateTime64(3, 'UTC') COMMENT 'When the answer that says so arrived',
    guide_id String COMMENT 'Id of the guide',
    user_id String COMMENT 'Id of the person as text',
    status LowCardinality(String) COMMENT 'Status as sent; empty = unknown',
    is_completed Bool COMMENT 'Completed',
    is_archived Bool COMMENT 'Archived',
    passed Nullable(Bool) COMMENT 'Passed, null = not said',
    completion_percentage Nullable(Float64) COMMENT 'Percentage complete as sent',
    score Nullable(Float64) COMMENT 'Score as sent',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was assigned; the epoch = unknown',
    updated_at DateTime64(3, 'UTC') COMMENT 'When it was last changed; the epoch = unknown',
    due_date DateTime64(3, 'UTC') COMMENT 'When it is due; the epoch = none',
    completed_at DateTime64(3, 'UTC') COMMENT 'When it was completed; the epoch = unknown'
)
ENGINE = ReplacingMergeTree(observed_at)
ORDER BY assignment_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Assignments of guides as pulled from the platform'
