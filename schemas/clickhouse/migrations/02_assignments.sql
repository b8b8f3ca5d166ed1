-- What the events say of assignments: their states through time, and the titles of challenges and teams.

-- The last known state of every assignment, as signed rows: a change inserts the old row with sign -1 and the new one with
-- sign 1 in one block, so a fresh change costs nothing at read and merges are the compaction. Never FINAL, never count().
CREATE TABLE IF NOT EXISTS rollcall.open_versions
(
    class UInt8 COMMENT '0 open, 1 awaiting grading, 2 settled, 3 deleted: what most pages ask for lies together',
    user_id LowCardinality(String) COMMENT 'user.id as text; empty = unknown',
    akey UInt64 COMMENT 'First 64 bits of SHA-256 of the assignment id',
    assignment_id String COMMENT 'challengeAssignment.id' CODEC(ZSTD(1)),
    challenge_id LowCardinality(String) COMMENT 'Challenge; empty = unknown',
    valid_from DateTime64(3, 'UTC') COMMENT 'From when this was the state: the event time, or createdAt if that is later',
    valid_to DateTime64(3, 'UTC') COMMENT 'Until when, exclusive; 2200-01-01 = until further notice',
    life UInt32 COMMENT 'Which life of the assignment: 1, and one more for each re-creation after a deletion',
    state UInt32 COMMENT 'Facts as bits, see schemas/metrics/state-bits.ts',
    status LowCardinality(String) COMMENT 'Status word as sent; empty = unknown' CODEC(ZSTD(1)),
    created_at DateTime64(3, 'UTC') COMMENT 'createdAt, or the time of the first event of the life where it was never sent',
    updated_at DateTime64(3, 'UTC') COMMENT 'updatedAt; the epoch = unknown' CODEC(T64, ZSTD(1)),
    completed_at DateTime64(3, 'UTC') COMMENT 'completedAt; the epoch = unknown',
    due_date DateTime64(3, 'UTC') COMMENT 'dueDate; the epoch = none',
    first_due_date DateTime64(3, 'UTC') COMMENT 'First known due date of this life; the epoch = none',
    reviewers_due_date DateTime64(3, 'UTC') COMMENT 'reviewersDueDate; the epoch = none',
    first_viewed_at DateTime64(3, 'UTC') COMMENT 'firstViewedAt; the epoch = unknown' CODEC(T64, ZSTD(1)),
    last_viewed_at DateTime64(3, 'UTC') COMMENT 'lastViewedAt; the epoch = unknown' CODEC(T64, ZSTD(1)),
    life_started_at DateTime64(3, 'UTC') COMMENT 'Time of the first event of this life' CODEC(T64, ZSTD(1)),
    first_submitted_at DateTime64(3, 'UTC') COMMENT 'Time of the first event of this life that says submitted; the epoch = none',
    first_graded_at DateTime64(3, 'UTC') COMMENT 'Time of the first event of this life that says graded; the epoch = none',
    grade Float64 COMMENT 'calculatedGrade as sent, 0 where unknown (see the bit grade_known)',
    completion_percentage Float64 COMMENT 'completionPercentage as sent, -1 where unknown' CODEC(ZSTD(1)),
    days_overdue_reported Nullable(Float64) COMMENT 'numDaysOverdue as sent' CODEC(ZSTD(1)),
    due_spans Array(Tuple(opened_ms Int64, closed_ms Int64, due_ms Int64)) COMMENT 'When the learner still had to act with this due date in force, over all lives so far: [opened, closed) and the due date, epoch ms; spans that closed before their due date are left out. Overdue in a span = from the later of opened and late from',
    sign Int8 COMMENT '1 = this row holds, -1 = it takes back an equal row; sum(sign) counts',
    img UInt64 COMMENT 'Hash of the whole content, so that only equal rows cancel out'
)
ENGINE = VersionedCollapsingMergeTree(sign, img)
ORDER BY (class, user_id, akey)
SETTINGS merge_selector_base = 12, index_granularity = 2048, enable_block_number_column = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Last known state of every assignment, signed';

-- Earlier states, signed likewise. Ordered by their end: "as of T" reads what ended after T and nothing before. No partitions:
-- one insert is one part, whatever months its rows touch.
CREATE TABLE IF NOT EXISTS rollcall.closed_versions
(
    class UInt8 COMMENT '0 open, 1 awaiting grading, 2 settled, 3 deleted: what most pages ask for lies together',
    user_id LowCardinality(String) COMMENT 'user.id as text; empty = unknown' CODEC(ZSTD(1)),
    akey UInt64 COMMENT 'First 64 bits of SHA-256 of the assignment id',
    assignment_id String COMMENT 'challengeAssignment.id' CODEC(ZSTD(1)),
    challenge_id LowCardinality(String) COMMENT 'Challenge; empty = unknown' CODEC(ZSTD(1)),
    valid_from DateTime64(3, 'UTC') COMMENT 'From when this was the state: the event time, or createdAt if that is later' CODEC(T64, ZSTD(1)),
    valid_to DateTime64(3, 'UTC') COMMENT 'Until when, exclusive; 2200-01-01 = until further notice' CODEC(ZSTD(1)),
    life UInt32 COMMENT 'Which life of the assignment: 1, and one more for each re-creation after a deletion',
    state UInt32 COMMENT 'Facts as bits, see schemas/metrics/state-bits.ts' CODEC(T64, ZSTD(1)),
    status LowCardinality(String) COMMENT 'Status word as sent; empty = unknown' CODEC(ZSTD(1)),
    created_at DateTime64(3, 'UTC') COMMENT 'createdAt, or the time of the first event of the life where it was never sent' CODEC(T64, ZSTD(1)),
    updated_at DateTime64(3, 'UTC') COMMENT 'updatedAt; the epoch = unknown' CODEC(T64, ZSTD(1)),
    completed_at DateTime64(3, 'UTC') COMMENT 'completedAt; the epoch = unknown' CODEC(ZSTD(1)),
    due_date DateTime64(3, 'UTC') COMMENT 'dueDate; the epoch = none' CODEC(T64, ZSTD(1)),
    first_due_date DateTime64(3, 'UTC') COMMENT 'First known due date of this life; the epoch = none' CODEC(T64, ZSTD(1)),
    reviewers_due_date DateTime64(3, 'UTC') COMMENT 'reviewersDueDate; the epoch = none' CODEC(ZSTD(1)),
    first_viewed_at DateTime64(3, 'UTC') COMMENT 'firstViewedAt; the epoch = unknown' CODEC(ZSTD(1)),
    last_viewed_at DateTime64(3, 'UTC') COMMENT 'lastViewedAt; the epoch = unknown' CODEC(T64, ZSTD(1)),
    life_started_at DateTime64(3, 'UTC') COMMENT 'Time of the first event of this life' CODEC(T64, ZSTD(1)),
    first_submitted_at DateTime64(3, 'UTC') COMMENT 'Time of the first event of this life that says submitted; the epoch = none' CODEC(ZSTD(1)),
    first_graded_at DateTime64(3, 'UTC') COMMENT 'Time of the first event of this life that says graded; the epoch = none' CODEC(ZSTD(1)),
    grade Float64 COMMENT 'calculatedGrade as sent, 0 where unknown (see the bit grade_known)' CODEC(ZSTD(1)),
    completion_percentage Float64 COMMENT 'completionPercentage as sent, -1 where unknown' CODEC(ZSTD(1)),
    days_overdue_reported Nullable(Float64) COMMENT 'numDaysOverdue as sent' CODEC(ZSTD(1)),
    due_spans Array(Tuple(opened_ms Int64, closed_ms Int64, due_ms Int64)) COMMENT 'When the learner still had to act with this due date in force, over all lives so far: [opened, closed) and the due date, epoch ms; spans that closed before their due date are left out. Overdue in a span = from the later of opened and late from' CODEC(ZSTD(1)),
    sign Int8 COMMENT '1 = this row holds, -1 = it takes back an equal row; sum(sign) counts',
    img UInt64 COMMENT 'Hash of the whole content, so that only equal rows cancel out'
)
ENGINE = VersionedCollapsingMergeTree(sign, img)
ORDER BY (valid_to, akey)
SETTINGS merge_selector_base = 12, index_granularity = 2048, enable_block_number_column = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Earlier states of assignments, signed';

CREATE TABLE IF NOT EXISTS rollcall.names
(
    kind LowCardinality(String) COMMENT 'challenge or team',
    id String COMMENT 'Id of the challenge or group',
    name String COMMENT 'A title or name that was sent for it',
    counts_from DateTime64(3, 'UTC') DEFAULT 0 COMMENT 'The full hour after the time of an event that was stamped after its receipt: until then it does not count. The epoch = it always counts',
    last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'Event time of the last event that says so'
)
ENGINE = AggregatingMergeTree
ORDER BY (kind, id, name, counts_from)
SETTINGS merge_selector_base = 12, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Titles of challenges and names of teams; the one last seen is shown';
