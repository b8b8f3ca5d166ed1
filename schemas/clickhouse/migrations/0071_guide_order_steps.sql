-- What was done about an order, step by step and person by person; never changed, but that an intent is withdrawn. An intent
-- is written before its call: after a crash it says that the call may have been made.
CREATE TABLE IF NOT EXISTS rollcall.guide_order_steps
(
    order_id String COMMENT 'Id of the order',
    user_id String COMMENT 'Id of the person; empty = the order as a whole',
    step UInt32 COMMENT 'Counts up per person, from 1',
    runner String COMMENT 'Which process did it',
    at DateTime64(3, 'UTC') COMMENT 'When',
    state LowCardinality(String) COMMENT 'intended, withdrawn, unknown, not_done, assigned, already, left, refused or gave_up; held_up of the order as a whole',
    assignment_id String COMMENT 'Id of the guide assignment that there is now; empty = none known',
    known_ids Array(String) COMMENT 'Of an intent: the assignments of this guide that the person had before',
    detail String COMMENT 'Code of the error, or why'
)
ENGINE = ReplacingMergeTree(at)
ORDER BY (order_id, user_id, step, runner)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'What was done about orders to assign guides: the audit trail'
