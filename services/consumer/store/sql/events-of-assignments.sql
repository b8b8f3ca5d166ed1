-- Every event of the touched keys, and with it which deliveries of them are in the table. No order: the fold sorts.
SELECT
    toString(akey) AS assignmentKey,
    assignment_id AS assignmentId,
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(event_time) AS eventTimeMs,
    toUnixTimestamp64Milli(updated_at) AS updatedAtMs,
    rank,
    challenge_id AS challengeId,
    user_id AS userId,
    status,
    flags_known AS flagsKnown,
    flags_true AS flagsTrue,
    grade,
    completion_percentage AS completionPercentage,
    days_overdue_reported AS daysOverdueReported,
    toUnixTimestamp64Milli(created_at) AS createdAtMs,
    toUnixTimestamp64Milli(completed_at) AS completedAtMs,
    toUnixTimestamp64Milli(due_date) AS dueDateMs,
    toUnixTimestamp64Milli(reviewers_due_date) AS reviewersDueDateMs,
    toUnixTimestamp64Milli(first_viewed_at) AS firstViewedAtMs,
    toUnixTimestamp64Milli(last_viewed_at) AS lastViewedAtMs,
    log_partition AS partition,
    log_offset AS offset
FROM rollcall.event_rows
WHERE akey IN {keys:Array(UInt64)}
SETTINGS output_format_json_quote_64bit_integers = 0
