-- Every difference that was ever found, and what was done about it.
CREATE TABLE IF NOT EXISTS rollcall.reconcile_findings
(
    found_at DateTime64(3, 'UTC') COMMENT 'When the platform had answered',
    assignment_id String COMMENT 'challengeAssignment.id',
    user_id String COMMENT 'user.id as text',
    challenge_id LowCardinality(String) COMMENT 'Challenge; empty = unknown',
    kind Enum8('missing' = 1, 'stale' = 2, 'extra' = 3) COMMENT 'missing: the platform has it, we did not; stale: the platform knew something newer; extra: the platform no longer lists it',
    fields Array(LowCardinality(String)) COMMENT 'What differed',
    action Enum8('healed' = 1, 'reported' = 2, 'waiting' = 3, 'held_back' = 4) COMMENT 'healed: by synthetic events; reported: healing is off; waiting: an extra one is healed when it is still extra later; held_back: too many at once, a person must say so',
    event_ids Array(String) COMMENT 'The synthetic events that healed it'
)
ENGINE = ReplacingMergeTree
ORDER BY (found_at, assignment_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Differences between the platform''s assignments and ours, and what was done about each'
