-- When something began to be wrong and when it ended: one row for each change. Two processes that see the same write the same.
CREATE TABLE IF NOT EXISTS rollcall.alert_states
(
    alert LowCardinality(String) COMMENT 'stall, silence, ledger or failed_events',
    number UInt32 COMMENT 'Counts the changes of this alert, from 1: odd ones begin, even ones end',
    state LowCardinality(String) COMMENT 'started or ended',
    at DateTime64(3, 'UTC') COMMENT 'When it was noticed',
    detail String COMMENT 'What was seen, in words; never a name'
)
ENGINE = ReplacingMergeTree(at)
ORDER BY (alert, number)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Alerts of Health: what began and what ended'
