-- name: setup-deliveries
-- The newest deliveries for the setup page, of both kinds, straight from the tables: a repeat is listed once more until
-- parts merge, and nobody scrolls back here. The recent tail only.
SELECT
    concat(replaceOne(toString(received), ' ', 'T'), 'Z') AS received_at,
    replaceAll(toString(id), '-', '') AS event_id,
    source,
    event_type,
    if(isNull(happened), NULL, concat(replaceOne(toString(assumeNotNull(happened)), ' ', 'T'), 'Z')) AS event_time,
    nullIf(user_id, '') AS person_id,
    nullIf(challenge_id, '') AS challenge_id,
    outcome,
    reason
FROM
(
    SELECT received_at AS received, event_id AS id, source, CAST(event_type, 'Nullable(String)') AS event_type, CAST(event_time, 'Nullable(DateTime64(3, \'UTC\'))') AS happened, toString(user_id) AS user_id, toString(challenge_id) AS challenge_id, 'stored' AS outcome, CAST(NULL, 'Nullable(String)') AS reason
    FROM rollcall.event_rows
    WHERE received_at > {from:DateTime64(3, 'UTC')} AND source != 'reconcile'
    ORDER BY received_at DESC
    LIMIT 20
    UNION ALL
    SELECT received_at, event_id, source, CAST(NULL, 'Nullable(String)'), NULL, '', '', 'failed', arrayStringConcat(problems, ' ')
    FROM rollcall.failed_event_rows
    WHERE received_at > {from:DateTime64(3, 'UTC')}
    ORDER BY received_at DESC
    LIMIT 20
)
ORDER BY received DESC
LIMIT 20

-- name: setup-pulls
-- Every job that ever ran, by name. `total`: of the items, where the job knows it.
SELECT
    job,
    state,
    toUnixTimestamp64Milli(last_success_at) AS last_success_at,
    items,
    nullIf(total, 0) AS total,
    skipped,
    error,
    note
FROM rollcall.pulls
JOIN
(
    SELECT job, JSONExtractUInt(argMax(checkpoint, (started_at, updated_at)), 'of') AS total
    FROM rollcall.job_runs
    GROUP BY job
) AS checkpoints USING (job)
ORDER BY job

-- name: setup-stored
SELECT sum(arraySum(ledger.stored)) AS stored FROM rollcall.log_positions FINAL
