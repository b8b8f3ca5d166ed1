-- The events of the assignments from {first} on, {count} of them, one row each, with what holds until the next one. The same
-- numbers give the same rows. Challenges are skewed (one in twelve assignments is of the most popular of 500), three in ten assignments
-- are made in bulk at one instant of a day, one in eleven begins in the instant in which it is made, one in seven is
-- graded in the instant in which it is handed in, one in 29 grades is given anew, one assignment in 50 is deleted,
-- and of one in a hundred every event comes twice.
WITH
    {now_ms:Int64} AS now_ms,
    4102444800000 AS never_ms,
    86400000 AS day_ms
SELECT
    concat('assignment-', toString(number)) AS assignment_id,
    -- As the consumer names it, so that arriving events find their assignment.
    reinterpretAsUInt64(reverse(substring(SHA256(assignment_id), 1, 8))) AS akey,
    concat('challenge-', toString(toUInt32(pow(cityHash64(number, 'challenge') % 1000000 / 1000000, 2.5) * {challenges:UInt32}))) AS challenge_id,
    toString(1 + hash % {users:UInt32}) AS user_id,
    toUInt8(position) AS position,
    -- 1 created, 2 begun, 3 handed in, 4 graded, 5 graded anew, 6 deleted
    events[position].1 AS kind,
    events[position].2 AS at_ms,
    position = length(events) AS is_last,
    if(is_last, toUnixTimestamp64Milli(toDateTime64('2200-01-01 00:00:00', 3, 'UTC')), events[position + 1].2) AS until_ms,
    -- What is deleted stays as it was.
    if(kind = 6, events[position - 1].1, kind) AS step,
    is_failed AND step = 4 AS failed,
    step >= 4 AND NOT failed AS completed,
    step = 3 AND hash % 3 = 0 AS partially_graded,
    if(step >= 4, least(100, points + 15 * (step = 5)), NULL) AS grade,
    ifNull(grade >= 70, false) AS passed,
    is_moved AND step > 1 AS moved,
    if(is_moved AND step = 1, last_due_ms - 7 * day_ms, last_due_ms) AS due_ms,
    if(is_moved, last_due_ms - 7 * day_ms, last_due_ms) AS first_due_ms,
    step < 4 AND due_ms > 0 AND at_ms > due_ms AS overdue,
    completed AND due_ms > 0 AND submitted_ms <= due_ms AS on_time,
    created_ms,
    if(step >= 2, begun_ms, 0) AS viewed_ms,
    multiIf(step >= 3, submitted_ms, step = 2, begun_ms, 0) AS last_viewed_ms,
    if(step >= 3, submitted_ms, 0) AS handed_in_ms,
    if(step >= 4, graded_ms, 0) AS first_graded_ms,
    multiIf(NOT completed, 0, is_failed, regraded_ms, submitted_ms) AS completed_ms,
    if(step >= 3, submitted_ms + 5 * day_ms, 0) AS reviewers_due_ms,
    step >= 4 AND is_graded_at_once AS handed_in_with_grade,
    -- When the state began in which the learner had to act under this due date; until it was handed in or deleted.
    if(step > 1, begun_ms, created_ms) AS opened_ms,
    multiIf(kind <= 2, until_ms, step <= 2, at_ms, submitted_ms) AS closed_ms,
    ['not_started', 'in_progress', 'needs_grading', if(failed, 'failed', 'completed'), 'completed'][step] AS status,
    [0, 40, 100, 100, 100][step] AS completion_percentage,
    if(overdue, intDiv(at_ms - due_ms, day_ms), NULL) AS days_overdue,
    ['Created', 'Progress', 'Progress', if(failed, 'Progress', 'Completed'), 'Completed', 'Deleted'][kind] AS type,
    reinterpretAsUUID(MD5(concat(assignment_id, ' ', toString(position)))) AS event_id,
    number * 16 + position * 2 AS log_offset,
    at_ms + toInt64(hash % 3000) AS received_ms,
    toUInt8(hash % 100 = 7) AS is_repeated
FROM
(
    SELECT
        number,
        cityHash64(number) AS hash,
        now_ms - toInt64(cityHash64(number, 'age') % (400 * day_ms)) AS alone_ms,
        if(hash % 10 < 3, intDiv(alone_ms, day_ms) * day_ms + intDiv(day_ms, 3), alone_ms) AS created_ms,
        toFloat64(1 + cityHash64(number, 'wait') % 1000000) / 1000001 AS wait,
        created_ms + if(hash % 11 = 5, 0, toInt64(cityHash64(number, 'begin') % (4 * day_ms))) AS begun_ms,
        -- One in six never hands in.
        if(hash % 6 = 0, never_ms, begun_ms + toInt64(-log(wait) * 9 * day_ms)) AS submitted_ms,
        hash % 7 = 1 AS is_graded_at_once,
        if(is_graded_at_once OR submitted_ms = never_ms, submitted_ms, submitted_ms + toInt64(3600000 + cityHash64(number, 'grade') % (6 * day_ms))) AS graded_ms,
        if(hash % 29 = 11, graded_ms + toInt64(3600000 + cityHash64(number, 'anew') % (20 * day_ms)), never_ms) AS regraded_ms,
        if(hash % 50 = 3, created_ms + 1 + toInt64(cityHash64(number, 'deleted') % (60 * day_ms)), never_ms) AS deleted_ms,
        if(hash % 19 = 0, 0, created_ms + 14 * day_ms) AS last_due_ms,
        last_due_ms > 0 AND hash % 23 = 0 AS is_moved,
        hash % 17 = 0 AS is_failed,
        toFloat64(40 + cityHash64(number, 'points') % 61) AS points,
        arrayFilter(
            event -> event.2 <= now_ms AND (event.2 < deleted_ms OR event.1 = 6) AND NOT (is_graded_at_once AND event.1 = 3),
            [(1, created_ms), (2, begun_ms), (3, submitted_ms), (4, graded_ms), (5, regraded_ms), (6, deleted_ms)]
        ) AS events,
        arrayJoin(arrayEnumerate(events)) AS position
    FROM numbers({first:UInt64}, {count:UInt64})
)
