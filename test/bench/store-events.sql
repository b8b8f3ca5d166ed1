-- The events of store-history.sql as typed rows. Every flag was sent. Of those that came twice the table keeps the first.
INSERT INTO rollcall.event_rows
    (akey, event_time, updated_at, type_number, event_id, event_type, source, received_at, log_partition, log_offset, assignment_id, challenge_id, user_id, status,
    flags_known, flags_true, grade, completion_percentage, days_overdue_reported, created_at, completed_at, due_date, reviewers_due_date, first_viewed_at, last_viewed_at)
SELECT
    akey,
    fromUnixTimestamp64Milli(at_ms, 'UTC'),
    fromUnixTimestamp64Milli(at_ms, 'UTC'),
    indexOf(['Created', 'Progress', 'Completed', 'Deleted'], type),
    event_id,
    concat('assignment', type, '.challenge'),
    'main',
    fromUnixTimestamp64Milli(received_ms, 'UTC'),
    0,
    log_offset + delivery,
    assignment_id,
    challenge_id,
    user_id,
    status,
    127,
    -- Bits of schemas/webhook/event-bits.ts, in their order.
    toUInt8(completed + 2 * on_time + 4 * (step >= 4) + 8 * overdue + 16 * partially_graded + 32 * (step >= 3) + 64 * passed),
    grade,
    completion_percentage,
    days_overdue,
    fromUnixTimestamp64Milli(created_ms, 'UTC'),
    fromUnixTimestamp64Milli(completed_ms, 'UTC'),
    fromUnixTimestamp64Milli(due_ms, 'UTC'),
    fromUnixTimestamp64Milli(reviewers_due_ms, 'UTC'),
    fromUnixTimestamp64Milli(viewed_ms, 'UTC'),
    fromUnixTimestamp64Milli(last_viewed_ms, 'UTC')
FROM history
ARRAY JOIN range(1 + is_repeated) AS delivery
