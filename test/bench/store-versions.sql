-- What the consumer would have made of store-history.sql: a version for each event but those that another one follows in the same instant.
INSERT INTO rollcall.{table:Identifier}
    (class, user_id, assignment_id, akey, challenge_id, valid_from, valid_to, life, state, status, created_at, updated_at, completed_at, due_date, first_due_date,
    reviewers_due_date, first_viewed_at, last_viewed_at, life_started_at, first_submitted_at, first_graded_at, grade, completion_percentage, days_overdue_reported,
    due_spans, sign, img)
SELECT
    [0, 0, 1, 2, 2, 3][kind],
    user_id,
    assignment_id,
    akey,
    challenge_id,
    fromUnixTimestamp64Milli(at_ms, 'UTC'),
    fromUnixTimestamp64Milli(until_ms, 'UTC'),
    1,
    -- Bits of schemas/metrics/state-bits.ts, in their order; whether it is overdue and on time was always sent.
    toUInt32(completed + 2 * failed + 4 * (step >= 3) + 8 * (step >= 4) + 16 * partially_graded + 32 * passed + 64 * (step >= 2) + 128 * (step >= 2)
        + 256 + 512 * overdue + 1024 + 2048 * on_time + 8192 * (step >= 4) + 65536 * (kind = 6) + 131072 * handed_in_with_grade + 262144 * moved),
    status,
    fromUnixTimestamp64Milli(created_ms, 'UTC'),
    fromUnixTimestamp64Milli(at_ms, 'UTC'),
    fromUnixTimestamp64Milli(completed_ms, 'UTC'),
    fromUnixTimestamp64Milli(due_ms, 'UTC'),
    fromUnixTimestamp64Milli(first_due_ms, 'UTC'),
    fromUnixTimestamp64Milli(reviewers_due_ms, 'UTC'),
    fromUnixTimestamp64Milli(viewed_ms, 'UTC'),
    fromUnixTimestamp64Milli(last_viewed_ms, 'UTC'),
    fromUnixTimestamp64Milli(created_ms, 'UTC'),
    fromUnixTimestamp64Milli(handed_in_ms, 'UTC'),
    fromUnixTimestamp64Milli(first_graded_ms, 'UTC'),
    ifNull(grade, 0),
    completion_percentage,
    days_overdue,
    if(due_ms > 0 AND (kind <= 2 OR closed_ms > due_ms), [(opened_ms, if(kind <= 2, toUnixTimestamp64Milli(toDateTime64('2200-01-01 00:00:00', 3, 'UTC')), closed_ms), due_ms)], []),
    1,
    cityHash64(event_id)
FROM history
WHERE at_ms < until_ms AND is_last = {open:UInt8}
