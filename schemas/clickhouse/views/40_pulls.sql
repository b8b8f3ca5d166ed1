-- The analysts' contract: how fresh the pulled data is, one row per job that ever ran.
CREATE OR REPLACE VIEW rollcall.pulls
(
    job String COMMENT 'Name of the job',
    state String COMMENT 'succeeded, failed, or running (also after a crash, until the next attempt)',
    started_at DateTime64(3, 'UTC') COMMENT 'When the latest run began',
    updated_at DateTime64(3, 'UTC') COMMENT 'When it last stored a page, or ended',
    last_success_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When a run last succeeded; null = never',
    complete_since Nullable(DateTime64(3, 'UTC')) COMMENT 'When that run began: of a full pull, what was not seen since then is no longer there',
    attempts UInt32 COMMENT 'How often the latest run was started or continued',
    items UInt64 COMMENT 'Items stored',
    skipped UInt64 COMMENT 'Items that could not be read',
    pages UInt64 COMMENT 'Pages read',
    error_code Nullable(String) COMMENT 'Why the last attempt failed, such as UNAUTHORIZED; null = it did not fail',
    error Nullable(String) COMMENT 'The same in words',
    note Nullable(String) COMMENT 'A remark on a run that succeeded'
) AS
SELECT
    run.job AS job,
    toString(argMax(run.state, (run.started_at, run.updated_at))) AS state,
    max(run.started_at) AS started_at,
    argMax(run.updated_at, (run.started_at, run.updated_at)) AS updated_at,
    nullIf(maxIf(run.updated_at, run.state = 'succeeded'), toDateTime64(0, 3, 'UTC')) AS last_success_at,
    nullIf(maxIf(run.started_at, run.state = 'succeeded'), toDateTime64(0, 3, 'UTC')) AS complete_since,
    argMax(run.attempts, (run.started_at, run.updated_at)) AS attempts,
    argMax(run.done, (run.started_at, run.updated_at)) AS items,
    argMax(run.skipped, (run.started_at, run.updated_at)) AS skipped,
    argMax(run.pages, (run.started_at, run.updated_at)) AS pages,
    nullIf(argMax(run.error_code, (run.started_at, run.updated_at)), '') AS error_code,
    nullIf(argMax(run.error, (run.started_at, run.updated_at)), '') AS error,
    nullIf(argMax(run.note, (run.started_at, run.updated_at)), '') AS note
FROM rollcall.job_runs AS run
GROUP BY run.job
COMMENT 'Pulls from the platform, and their state'
