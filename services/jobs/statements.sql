-- name: count-old
SELECT count() AS rows
FROM rollcall.{table:Identifier}
WHERE {column:Identifier} < {before:DateTime64(3, 'UTC')}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: remove-old
ALTER TABLE rollcall.{table:Identifier}
    DELETE WHERE {column:Identifier} < {before:DateTime64(3, 'UTC')}
    SETTINGS mutations_sync = 2

-- name: count-shares
-- Keys are checked in shares, so that no statement holds all of them.
SELECT toUInt8(least(16, 1 + intDiv(count(), 100000))) AS shares FROM rollcall.event_rows

-- name: doubtful-assignments
-- Assignments of one share of all keys whose versions cannot be right: an image that is there more or less often than once,
-- not exactly one open version, versions that overlap, or events without any. What is right is for the fold to say.
SELECT DISTINCT toString(akey) AS assignmentKey
FROM
(
    SELECT akey
    FROM
    (
        SELECT akey, assignment_id, img, sum(sign) AS copies
        FROM rollcall.open_versions
        WHERE akey % {shares:UInt8} = {share:UInt8}
        GROUP BY akey, assignment_id, img
        HAVING copies != 0
    )
    GROUP BY akey, assignment_id
    HAVING count() != 1 OR any(copies) != 1
    UNION ALL
    SELECT akey
    FROM rollcall.closed_versions
    WHERE akey % {shares:UInt8} = {share:UInt8}
    GROUP BY akey, img
    HAVING sum(sign) NOT IN (0, 1)
    UNION ALL
    SELECT akey
    FROM
    (
        SELECT akey, assignment_id, valid_from, valid_to, sign FROM rollcall.open_versions
        WHERE akey % {shares:UInt8} = {share:UInt8}
        UNION ALL
        SELECT akey, assignment_id, valid_from, valid_to, sign FROM rollcall.closed_versions
        WHERE akey % {shares:UInt8} = {share:UInt8}
    )
    GROUP BY akey, assignment_id
    HAVING sum(sign * (toUnixTimestamp64Milli(valid_to) - toUnixTimestamp64Milli(valid_from)))
        > toUnixTimestamp64Milli(max(valid_to)) - toUnixTimestamp64Milli(min(valid_from))
    UNION ALL
    SELECT akey
    FROM rollcall.event_rows
    WHERE type_number > 0 AND akey % {shares:UInt8} = {share:UInt8} AND akey NOT IN
    (
        SELECT akey FROM rollcall.open_versions WHERE akey % {shares:UInt8} = {share:UInt8} GROUP BY akey HAVING sum(sign) > 0
    )
)
-- It has time, and must not take memory from those who have not.
SETTINGS max_threads = 1, max_bytes_before_external_group_by = 200000000

-- name: doubtful-people
-- People, of one share of all, whose versions or links cannot be right: an image more or less often than once, or gaps and overlaps.
SELECT DISTINCT user_id AS userId
FROM
(
    SELECT user_id
    FROM rollcall.user_versions
    WHERE sipHash64(user_id) % {shares:UInt8} = {share:UInt8}
    GROUP BY user_id, img
    HAVING sum(sign) NOT IN (0, 1)
    UNION ALL
    SELECT user_id
    FROM rollcall.user_versions
    WHERE sipHash64(user_id) % {shares:UInt8} = {share:UInt8}
    GROUP BY user_id
    HAVING sum(sign * (toUnixTimestamp64Milli(valid_to) - toUnixTimestamp64Milli(valid_from)))
        != toUnixTimestamp64Milli(toDateTime64('2200-01-01 00:00:00', 3, 'UTC'))
    UNION ALL
    SELECT report_id AS user_id
    FROM rollcall.link_versions
    WHERE sipHash64(report_id) % {shares:UInt8} = {share:UInt8}
    GROUP BY manager_id, report_id, img
    HAVING sum(sign) NOT IN (0, 1)
    UNION ALL
    SELECT report_id AS user_id
    FROM rollcall.link_versions
    WHERE sipHash64(report_id) % {shares:UInt8} = {share:UInt8}
    GROUP BY manager_id, report_id
    HAVING sum(sign * (toUnixTimestamp64Milli(valid_to) - toUnixTimestamp64Milli(valid_from)))
        NOT IN (0, toUnixTimestamp64Milli(toDateTime64('2200-01-01 00:00:00', 3, 'UTC')))
)
SETTINGS max_threads = 1, max_bytes_before_external_group_by = 200000000

-- name: failed-events-after
-- Failed events that are not events by now and that no person has put right, some at a time; not those whose bodies were damaged. Of an
-- id and its order nothing is asked but that it is one.
SELECT
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(received_at) AS receivedAt,
    source,
    base64Encode(body) AS body
FROM rollcall.failed_event_rows FINAL
WHERE
    event_id > {after:UUID}
    AND NOT has(reasons, 'damaged')
    AND ({reason:String} = '' OR has(reasons, {reason:String}))
    AND (empty({ids:Array(UUID)}) OR event_id IN {ids:Array(UUID)})
    AND replaceAll(toString(event_id), '-', '') IN (SELECT event_id FROM rollcall.failed_events)
ORDER BY event_id
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: last-runs
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

-- name: keys-around
-- The assignments and people stored around takeovers: from a minute before the first, because the clocks of machines differ, to as many
-- records after the last as one batch can hold.
SELECT groupUniqArray(toString(akey)) AS assignments, groupUniqArrayIf(toString(user_id), user_id != '') AS people
FROM rollcall.event_rows
INNER JOIN
(
    SELECT
        log_partition,
        min(first_offset) AS start,
        greatest(maxIf(next_offset, recorded_at < {last:DateTime64(3, 'UTC')}), minIf(first_offset, recorded_at >= {last:DateTime64(3, 'UTC')}))
            + {batch:UInt32} AS through
    FROM rollcall.log_positions
    WHERE recorded_at >= {first:DateTime64(3, 'UTC')} - INTERVAL 1 MINUTE
    GROUP BY log_partition
) AS part USING (log_partition)
WHERE log_offset >= start AND log_offset < through

-- name: overlapping-positions
-- The positions recorded since an instant that count in the ledger and of which a part stands in another one, too. Positions are in one run from
-- one that begins where all before have ended to the next such.
SELECT log_partition, first_offset, next_offset, last_recorded_at + 1 AS recorded_at, log_id, log_begin
FROM
(
    SELECT *, count() OVER (PARTITION BY log_partition, run) AS parts
    FROM
    (
        SELECT *, sum(first_offset >= reached) OVER (PARTITION BY log_partition ORDER BY first_offset, next_offset) AS run
        FROM
        (
            SELECT
                log_partition,
                first_offset,
                next_offset,
                toUnixTimestamp64Milli(max(recorded_at)) AS last_recorded_at,
                any(log_id) AS log_id,
                any(log_begin) AS log_begin,
                max(next_offset) OVER (
                    PARTITION BY log_partition ORDER BY first_offset, next_offset ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS reached
            FROM rollcall.log_positions
            WHERE first_offset < next_offset AND recorded_at > {since:DateTime64(3, 'UTC')}
            GROUP BY log_partition, first_offset, next_offset
            HAVING argMax(notEmpty(ledger), recorded_at)
        )
    )
)
WHERE parts > 1
SETTINGS output_format_json_quote_64bit_integers = 0, max_threads = 1

-- name: unlinked-people
-- People, of one share of all, who named a manager or a report although the table has no row of that pair.
SELECT DISTINCT user_id AS userId
FROM
(
    SELECT user_id, arrayJoin(managers) AS manager_id, user_id AS report_id FROM rollcall.user_observations
    UNION ALL
    SELECT user_id, user_id AS manager_id, arrayJoin(direct_reports) AS report_id FROM rollcall.user_observations
)
WHERE sipHash64(user_id) % {shares:UInt8} = {share:UInt8}
    AND manager_id != report_id
    AND (manager_id, report_id) NOT IN
    (
        SELECT manager_id, report_id FROM rollcall.link_versions GROUP BY manager_id, report_id HAVING sum(sign) > 0
    )
SETTINGS max_threads = 1, max_bytes_before_external_group_by = 200000000
