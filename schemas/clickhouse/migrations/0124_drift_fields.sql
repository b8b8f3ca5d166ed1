-- Fields that the specification does not know, and required fields of it that were absent or null, found by looking at some deliveries of every batch.
CREATE TABLE IF NOT EXISTS rollcall.drift_fields
(
    kind Enum8('unknown' = 1, 'missing' = 2) COMMENT 'unknown: sent and not specified; missing: required by the specification, and absent or null',
    path String COMMENT 'Where in the body, such as challengeAssignment.status',
    events SimpleAggregateFunction(sum, UInt64) COMMENT 'Deliveries in which it was seen, of those that were looked at',
    first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')) COMMENT 'When such a delivery was received first',
    last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'And last'
)
ENGINE = AggregatingMergeTree
ORDER BY (kind, path)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Fields that are not as specified, by a sample of the deliveries'
