-- Deliveries as they came: usable ones, typed, with their bodies apart; unusable ones; and fields that are not as specified.
--
-- `merge_selector_base = 12` here and in the other tables that every batch writes: by the default of 5 the engine merges each few
-- parts of some rows with the one of megabytes that holds all others, again and again, which costs more than storing the batch.

-- Every stored event, typed. Its only heavy reader is "all events of these assignments", hence the order; and it reads
-- scattered keys, hence small granules. The version keeps, of one event delivered several times, its first delivery.
CREATE TABLE IF NOT EXISTS rollcall.event_rows
(
    akey UInt64 COMMENT 'First 64 bits of SHA-256 of the assignment id (of the event id where there is none); group by assignment_id too, a collision is then harmless' CODEC(ZSTD(1)),
    event_time DateTime64(3, 'UTC') COMMENT 'timestamp of the event' CODEC(T64, ZSTD(1)),
    updated_at DateTime64(3, 'UTC') COMMENT 'challengeAssignment.updatedAt; the epoch = unknown' CODEC(T64, ZSTD(1)),
    type_number UInt8 COMMENT 'Number of the event type, see schemas/webhook/event.ts; 0 = makes no state',
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    event_type LowCardinality(String) COMMENT 'eventType as sent' CODEC(ZSTD(1)),
    source LowCardinality(String) COMMENT 'Name of the ingest token by which the event came' CODEC(ZSTD(1)),
    received_at DateTime64(3, 'UTC') COMMENT 'When ingest had the whole body' CODEC(T64, ZSTD(1)),
    log_partition UInt32 COMMENT 'Partition of the event log',
    log_offset UInt64 COMMENT 'Offset in that partition' CODEC(T64, ZSTD(1)),
    first_delivery UInt64 MATERIALIZED 18446744073709551615 - log_offset COMMENT 'Highest for the earliest delivery, which is the one that merges keep' CODEC(T64, ZSTD(1)),
    assignment_id String COMMENT 'challengeAssignment.id; empty for other events' CODEC(ZSTD(1)),
    challenge_id LowCardinality(String) COMMENT 'challengeAssignment.challengeId, else challenge.id; empty = unknown' CODEC(ZSTD(1)),
    user_id LowCardinality(String) COMMENT 'user.id as text; empty = unknown' CODEC(ZSTD(1)),
    status LowCardinality(String) COMMENT 'Status word of the specification; empty = unknown' CODEC(ZSTD(1)),
    flags_known UInt8 COMMENT 'Which flags were sent as true or false, as bits, see schemas/webhook/event.ts',
    flags_true UInt8 COMMENT 'Which of them were true, same bits',
    grade Nullable(Float64) COMMENT 'calculatedGrade as sent' CODEC(ZSTD(1)),
    completion_percentage Nullable(Float64) COMMENT 'completionPercentage as sent' CODEC(ZSTD(1)),
    days_overdue_reported Nullable(Float64) COMMENT 'numDaysOverdue as sent' CODEC(ZSTD(1)),
    created_at DateTime64(3, 'UTC') COMMENT 'createdAt; the epoch = unknown' CODEC(ZSTD(1)),
    completed_at DateTime64(3, 'UTC') COMMENT 'completedAt; the epoch = unknown' CODEC(ZSTD(1)),
    due_date DateTime64(3, 'UTC') COMMENT 'dueDate; the epoch = unknown' CODEC(ZSTD(1)),
    reviewers_due_date DateTime64(3, 'UTC') COMMENT 'reviewersDueDate; the epoch = unknown' CODEC(ZSTD(1)),
    first_viewed_at DateTime64(3, 'UTC') COMMENT 'firstViewedAt; the epoch = unknown' CODEC(ZSTD(1)),
    last_viewed_at DateTime64(3, 'UTC') COMMENT 'lastViewedAt; the epoch = unknown' CODEC(ZSTD(1)),
    drift Array(LowCardinality(String)) COMMENT 'Fields that were sent in a way the specification does not know; (before 2000), (ahead): times that are no times of today; (address), (content-type), (signature): of the request' CODEC(ZSTD(1)),
    contradictions UInt16 COMMENT 'Statements of the delivery that contradict each other, as bits, see schemas/webhook/contradictions.ts' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(first_delivery)
ORDER BY (akey, event_time, updated_at, type_number, event_id)
SETTINGS merge_selector_base = 12, index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Stored events behind the view events; may hold a repeated delivery until parts merge';

-- Raw bodies apart from the typed rows: nobody scans them, and they are most of the bytes.
CREATE TABLE IF NOT EXISTS rollcall.event_bodies
(
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    body_base64 String EPHEMERAL COMMENT 'How a body is inserted: base64, so that any byte survives',
    body String DEFAULT base64Decode(body_base64) COMMENT 'The raw body, byte for byte' CODEC(ZSTD(3)),
    received_at DateTime64(3, 'UTC') COMMENT 'When ingest had the whole body'
)
ENGINE = ReplacingMergeTree
ORDER BY event_id
SETTINGS merge_selector_base = 12, index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Raw bodies of stored events';

CREATE TABLE IF NOT EXISTS rollcall.failed_event_rows
(
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    received_at DateTime64(3, 'UTC') COMMENT 'When ingest had the whole body, first delivery',
    source LowCardinality(String) COMMENT 'Name of the ingest token by which it came',
    reasons Array(LowCardinality(String)) COMMENT 'Every reason why it cannot be used, from a closed list',
    problems Array(String) COMMENT 'The same in words, with the path of the field',
    log_partition UInt32 COMMENT 'Partition of the event log',
    log_offset UInt64 COMMENT 'Offset in that partition',
    first_delivery UInt64 MATERIALIZED 18446744073709551615 - log_offset COMMENT 'Highest for the earliest delivery, which is the one that merges keep',
    body_base64 String EPHEMERAL COMMENT 'How a body is inserted: base64, so that any byte survives',
    body String DEFAULT base64Decode(body_base64) COMMENT 'The raw body, byte for byte' CODEC(ZSTD(3)),
    erased_at DateTime64(3, 'UTC') DEFAULT toDateTime64(0, 3, 'UTC') COMMENT 'When the body was deleted because it named an erased person; the epoch = never'
)
ENGINE = ReplacingMergeTree(first_delivery)
ORDER BY event_id
SETTINGS merge_selector_base = 12, index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Deliveries that were acknowledged or refused as unusable, and kept';

-- Which failed events a person has put right. Written before the fixed delivery goes to the log: until that one is stored, the failed
-- event stays one.
CREATE TABLE IF NOT EXISTS rollcall.failed_event_fixes
(
    event_id UUID COMMENT 'The failed event',
    fixed_event_id UUID COMMENT 'The event made of it: the first 128 bits of SHA-256 over its body',
    fixed_at DateTime64(3, 'UTC') COMMENT 'When'
)
ENGINE = ReplacingMergeTree
ORDER BY (event_id, fixed_event_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Failed events that a person has put right';

-- Deliveries of what an earlier delivery has brought: they change no number, and a person who asks for a receipt is told of them.
CREATE TABLE IF NOT EXISTS rollcall.repeat_rows
(
    event_id UUID COMMENT 'First 128 bits of SHA-256 over the raw body',
    received_at DateTime64(3, 'UTC') COMMENT 'When ingest had the whole body',
    source LowCardinality(String) COMMENT 'Name of the ingest token by which it came',
    log_partition UInt32 COMMENT 'Partition of the event log',
    log_offset UInt64 COMMENT 'Offset in that partition'
)
ENGINE = ReplacingMergeTree
ORDER BY (event_id, log_partition, log_offset)
TTL toDateTime(received_at) + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Repeated deliveries of the last 90 days';

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
COMMENT 'Fields that are not as specified, by a sample of the deliveries';
