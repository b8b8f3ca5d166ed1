-- State of this Rollcall itself.

CREATE TABLE IF NOT EXISTS rollcall.settings
(
    name LowCardinality(String) COMMENT 'time_zone, due_zone, due_end; zone and a name = the rules of that zone by Node, as JSON; sample = whether the data comes from the stand-in platform; views = checksums of the texts of the views, as JSON: a view is replaced only when it differs',
    value String COMMENT 'Its value',
    set_at DateTime64(3, 'UTC') COMMENT 'When a process started with it'
)
ENGINE = ReplacingMergeTree(set_at)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Settings that views need: zones, their rules and due end, as last configured; and what the views were made of';

-- One row per page read and per end of a run; the latest of a run counts. Where a run ended without an end, the next one of
-- its job goes on from its checkpoint.
CREATE TABLE IF NOT EXISTS rollcall.job_runs
(
    job LowCardinality(String) COMMENT 'Name of the job',
    run_id UUID COMMENT 'One run, from its start to its success, over failures and restarts',
    started_at DateTime64(3, 'UTC') COMMENT 'When it began',
    updated_at DateTime64(3, 'UTC') COMMENT 'When this was written; the later row counts',
    state Enum8('running' = 0, 'succeeded' = 1, 'failed' = 2) COMMENT 'running also after a crash: until the next attempt goes on',
    attempts UInt32 COMMENT 'How often it was begun or gone on with',
    done UInt64 COMMENT 'Items stored so far',
    skipped UInt64 COMMENT 'Items that could not be read',
    pages UInt64 COMMENT 'Pages read so far',
    checkpoint String COMMENT 'Where to go on, JSON; its form is the job''s own',
    error_code LowCardinality(String) COMMENT 'Why the last attempt failed; empty = it did not',
    error String COMMENT 'The same in words',
    note String COMMENT 'What the owner should know of a run that succeeded; empty = nothing'
)
ENGINE = ReplacingMergeTree(updated_at)
ORDER BY (job, run_id)
TTL toDateTime(updated_at) + INTERVAL 400 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Runs of scheduled jobs';
