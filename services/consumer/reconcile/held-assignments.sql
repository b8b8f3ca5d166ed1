-- What we hold of the assignments of some people, and of some assignments of anybody: the last state of each, deleted
-- ones included. Times are epoch ms, 0 = unknown.
SELECT
    assignment_id,
    toString(user_id) AS user_id,
    toString(challenge_id) AS challenge_id,
    class = 3 AS is_deleted,
    state,
    toUnixTimestamp64Milli(valid_from) AS valid_from_ms,
    toUnixTimestamp64Milli(created_at) AS created_at_ms,
    toUnixTimestamp64Milli(updated_at) AS updated_at_ms,
    toUnixTimestamp64Milli(completed_at) AS completed_at_ms,
    toUnixTimestamp64Milli(due_date) AS due_date_ms,
    toUnixTimestamp64Milli(reviewers_due_date) AS reviewers_due_date_ms,
    toUnixTimestamp64Milli(first_viewed_at) AS first_viewed_at_ms,
    grade,
    completion_percentage
FROM rollcall.open_versions
WHERE user_id IN {users:Array(String)} OR akey IN {keys:Array(UInt64)}
GROUP BY ALL
HAVING sum(sign) > 0
SETTINGS output_format_json_quote_64bit_integers = 0
