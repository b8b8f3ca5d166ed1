-- A stretch of a big, believable store, written straight into the tables: what the consumer would have made of the events of
-- the assignments from {first} to {last}, each with up to four states (created, begun, handed in, graded).
INSERT INTO rollcall.{table:Identifier}
    (class, user_id, assignment_id, akey, challenge_id, valid_from, valid_to, life, state, status, created_at, updated_at, completed_at, due_date, first_due_date,
    reviewers_due_date, first_viewed_at, last_viewed_at, life_started_at, first_submitted_at, first_graded_at, grade, completion_percentage, days_overdue_reported,
    due_spans, sign, img)
WITH
    {now_ms:Int64} AS now_ms,
    4102444800000 AS never,
    86400000 AS day_ms,
    toDateTime64('2200-01-01 00:00:00', 3, 'UTC') AS end_of_time
SELECT
    multiIf(k < 2, 0, k = 2, 1, 2) AS class,
    toString(1 + hash % {users:UInt32}) AS user_id,
    concat('assignment-', toString(number)) AS assignment_id,
    -- As the consumer names it, so that arriving events find their assignment.
    reinterpretAsUInt64(reverse(substring(SHA256(assignment_id), 1, 8))) AS akey,
    concat('challenge-', toString(intDiv(hash, 7919) % {challenges:UInt32})) AS challenge_id,
    fromUnixTimestamp64Milli(times[k + 1], 'UTC') AS valid_from,
    if(is_last, end_of_time, fromUnixTimestamp64Milli(times[k + 2], 'UTC')) AS valid_to,
    1 AS life,
    -- completed, submitted, graded, partially_graded, passed, viewed, started, reported_overdue_known, reported_on_time_known, grade_known, deadline_moved
    toUInt32((k = 3 AND NOT is_failed) + 2 * (k = 3 AND is_failed) + 4 * (k >= 2) + 8 * (k = 3) + 16 * (k = 2 AND hash % 3 = 0) + 32 * (k = 3 AND grade_value >= 70)
        + 64 * (k >= 1) + 128 * (k >= 1) + 256 + 1024 + 8192 + 262144 * is_moved) AS state,
    ['not_started', 'in_progress', 'needs_grading', if(is_failed, 'failed', 'completed')][k + 1] AS status,
    fromUnixTimestamp64Milli(created_ms, 'UTC') AS created_at,
    valid_from AS updated_at,
    fromUnixTimestamp64Milli(if(k = 3 AND NOT is_failed, times[3], 0), 'UTC') AS completed_at,
    fromUnixTimestamp64Milli(due_ms, 'UTC') AS due_date,
    fromUnixTimestamp64Milli(if(is_moved, due_ms - 7 * day_ms, due_ms), 'UTC') AS first_due_date,
    fromUnixTimestamp64Milli(if(k >= 2, times[3] + 5 * day_ms, 0), 'UTC') AS reviewers_due_date,
    fromUnixTimestamp64Milli(if(k >= 1, times[2], 0), 'UTC') AS first_viewed_at,
    fromUnixTimestamp64Milli(if(k >= 1, times[k + 1], 0), 'UTC') AS last_viewed_at,
    created_at AS life_started_at,
    fromUnixTimestamp64Milli(if(k >= 2, times[3], 0), 'UTC') AS first_submitted_at,
    fromUnixTimestamp64Milli(if(k = 3, times[4], 0), 'UTC') AS first_graded_at,
    if(k = 3, grade_value, 0) AS grade,
    [0, 40, 100, 100][k + 1] AS completion_percentage,
    NULL AS days_overdue_reported,
    if(due_ms > 0 AND (k < 2 OR times[3] > due_ms), [(created_ms, if(k < 2, toUnixTimestamp64Milli(end_of_time), times[3]), due_ms)], []) AS due_spans,
    1 AS sign,
    cityHash64(number, k) AS img
FROM
(
    SELECT
        number,
        cityHash64(number) AS hash,
        cityHash64(number, 'age') % (400 * day_ms) AS age_ms,
        now_ms - age_ms AS created_ms,
        toFloat64(1 + cityHash64(number, 'wait') % 1000000) / 1000001 AS wait,
        created_ms + toInt64(cityHash64(number, 'begin') % (4 * day_ms)) AS begun_ms,
        -- One in six never hands in.
        if(hash % 6 = 0, never, begun_ms + toInt64(-log(wait) * 9 * day_ms)) AS submitted_ms,
        if(submitted_ms = never, never, submitted_ms + toInt64(3600000 + cityHash64(number, 'grade') % (6 * day_ms))) AS graded_ms,
        [created_ms, begun_ms, submitted_ms, graded_ms] AS times,
        if(hash % 19 = 0, 0, created_ms + 14 * day_ms) AS due_ms,
        due_ms > 0 AND hash % 23 = 0 AS is_moved,
        hash % 17 = 0 AS is_failed,
        toFloat64(40 + cityHash64(number, 'points') % 61) AS grade_value,
        toInt64(arrayCount(time -> time <= now_ms, times)) - 1 AS last_k,
        arrayJoin(range(toUInt32(last_k + 1))) AS k,
        k = last_k AS is_last
    FROM numbers({first:UInt64}, {count:UInt64})
)
WHERE is_last = {open:Bool}
