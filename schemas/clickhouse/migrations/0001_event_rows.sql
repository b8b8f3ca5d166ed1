-- Every stored event, typed. Its only heavy reader is "all events of these assignments", hence the order; and it reads
-- scattered keys, hence small granules. The version keeps, of one event delivered several times, its first delivery.
CREATE TABLE IF NOT EXISTS rollcall.event_rows
(
    akey UInt64 COMMENT 'First 64 bits of SHA-256 of the assignment id (of the event id where there is none); group by assignment_id too, a collision is then harmless',
    event_time DateTime64(3, 'UTC') COMMENT 'timestamp of the event',
    updated_at DateTime64(3, 'UTC') COMMENT 'challengeAssignment.updatedAt; the epoch = unknown',
    rank UInt8 COMMENT 'Created 1, Progress 2, Completed 3, Deleted 4, other events 0',
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    event_type LowCardinality(String) COMMENT 'eventType as sent',
    source LowCardinality(String) COMMENT 'Name of the ingest token by which the event came',
    received_at DateTime64(3, 'UTC') COMMENT 'When ingest had the whole body',
    log_partition UInt32 COMMENT 'Partition of the event log',
    log_offset UInt64 COMMENT 'Offset in that partition',
    first_delivery UInt64 MATERIALIZED 18446744073709551615 - log_offset COMMENT 'Highest for the earliest delivery, which is the one that merges keep',
    assignment_id String COMMENT 'challengeAssignment.id; empty for other events',
    challenge_id LowCardinality(String) COMMENT 'challengeAssignment.challengeId, else challenge.id; empty = unknown',
    user_id LowCardinality(String) COMMENT 'user.id as text; empty = unknown',
    status LowCardinality(String) COMMENT 'Status word of the specification; empty = unknown',
    flags_known UInt8 COMMENT 'Which flags were sent as true or false: 1 completed, 2 completed on time, 4 fully graded, 8 overdue, 16 partially graded, 32 submitted, 64 passed',
    flags_true UInt8 COMMENT 'Which of them were true, same bits',
    grade Nullable(Float64) COMMENT 'calculatedGrade as sent',
    completion_percentage Nullable(Float64) COMMENT 'completionPercentage as sent',
    days_overdue_reported Nullable(Float64) COMMENT 'numDaysOverdue as sent',
    created_at DateTime64(3, 'UTC') COMMENT 'createdAt; the epoch = unknown',
    completed_at DateTime64(3, 'UTC') COMMENT 'completedAt; the epoch = unknown',
    due_date DateTime64(3, 'UTC') COMMENT 'dueDate; the epoch = unknown',
    reviewers_due_date DateTime64(3, 'UTC') COMMENT 'reviewersDueDate; the epoch = unknown',
    first_viewed_at DateTime64(3, 'UTC') COMMENT 'firstViewedAt; the epoch = unknown',
    last_viewed_at DateTime64(3, 'UTC') COMMENT 'lastViewedAt; the epoch = unknown',
    drift Array(LowCardinality(String)) COMMENT 'Fields that were sent in a way the specification does not know',
    contradictions UInt16 COMMENT 'Statements of the delivery that contradict each other, as bits: 1 created, not new; 2 Completed event, 4 status completed without completion; 8 status failed with completion; 16 on time without completion, 32 after the due date; 64 fully and partially graded; 128 completedAt without completion; 256 days overdue, not overdue; 512 two challenges' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(first_delivery)
ORDER BY (akey, event_time, updated_at, rank, event_id)
SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Stored events behind the view events; may hold a repeated delivery until parts merge'
