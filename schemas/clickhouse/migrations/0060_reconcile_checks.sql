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
    extra UInt32 COMMENT 'Ours that the platform no longer lists'
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY user_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Last comparison of each person''s assignments with the platform'
