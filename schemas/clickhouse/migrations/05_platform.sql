-- What the platform's API says, and what is asked of it.

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
COMMENT 'Guides as pulled from the platform';

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
    is_deleted Bool DEFAULT false COMMENT 'Deleted',
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
COMMENT 'Assignments of guides as pulled from the platform';

-- Which of the lists that the specification does not have the platform offers.
CREATE TABLE IF NOT EXISTS rollcall.platform_lists
(
    list LowCardinality(String) COMMENT 'users, guides, guide_assignments or changed_guide_assignments',
    path String COMMENT 'Path of the platform, without ids and query',
    answered_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'When it answered last; the epoch = never. Written once an hour',
    not_found_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'When it was last answered by 404; the epoch = never. For a guide''s assignments that may mean the guide',
    not_allowed_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'When it was last answered by 405; the epoch = never'
)
ENGINE = AggregatingMergeTree
ORDER BY (list, path)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'When the platform last answered its lists, and when they were last missing';

-- Whose assignments were compared with the platform's, and when: what makes the rolling sweep resume where it was and take
-- the riskiest first.
CREATE TABLE IF NOT EXISTS rollcall.reconcile_checks
(
    user_id String COMMENT 'user.id as text',
    checked_at DateTime64(3, 'UTC') COMMENT 'When the platform had answered',
    outcome LowCardinality(String) COMMENT 'compared, not_found (the platform does not know the person) or not_offered (it has no such list)',
    compared UInt32 COMMENT 'Assignments compared',
    missing UInt32 COMMENT 'Of these: the platform has them, we did not',
    stale UInt32 COMMENT 'Of these: the platform knew something newer',
    extra UInt32 COMMENT 'Ours that the platform no longer lists',
    created UInt32 COMMENT 'Lives of assignments whose Created event was lost, found for the first time'
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY user_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Last comparison of each person''s assignments with the platform';

-- Every difference that was ever found, and what was done about it.
CREATE TABLE IF NOT EXISTS rollcall.reconcile_findings
(
    found_at DateTime64(3, 'UTC') COMMENT 'When the platform had answered',
    assignment_id String COMMENT 'challengeAssignment.id',
    user_id String COMMENT 'user.id as text',
    challenge_id LowCardinality(String) COMMENT 'Challenge; empty = unknown',
    kind Enum8('missing' = 1, 'stale' = 2, 'extra' = 3, 'created' = 4) COMMENT 'missing: the platform has it, we did not; stale: the platform knew something newer; extra: the platform no longer lists it; created: its Created event was lost',
    fields Array(LowCardinality(String)) COMMENT 'What differed',
    action Enum8('repaired' = 1, 'reported' = 2, 'waiting' = 3, 'held_back' = 4, 'listed' = 5) COMMENT 'repaired: by synthetic events; reported: repair is off; waiting: an extra one is repaired when it is still extra later; held_back: too many at once, a person must say so; listed: created before deliveries began, nothing is made up',
    event_ids Array(String) COMMENT 'The synthetic events that repaired it'
)
ENGINE = ReplacingMergeTree
ORDER BY (found_at, assignment_id, kind, action)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Differences between the platform''s assignments and ours, and what was done about each';
