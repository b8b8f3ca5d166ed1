SELECT
    job,
    toString(run_id) AS runId,
    toUnixTimestamp64Milli(min(run.started_at)) AS startedAtMs,
    toUnixTimestamp64Milli(max(run.updated_at)) AS updatedAtMs,
    argMax(run.state, run.updated_at) AS state,
    argMax(run.attempts, run.updated_at) AS attempts,
    argMax(run.done, run.updated_at) AS done,
    argMax(run.skipped, run.updated_at) AS skipped,
    argMax(run.pages, run.updated_at) AS pages,
    argMax(run.checkpoint, run.updated_at) AS checkpoint
FROM rollcall.job_runs AS run
WHERE job = {job:String}
GROUP BY job, run_id
ORDER BY startedAtMs DESC, state = 'succeeded'
LIMIT 1 BY state = 'succeeded'
SETTINGS output_format_json_quote_64bit_integers = 0
