-- name: deliveries-began
-- Of each token, when its deliveries began, epoch ms: when the first one came, or of what it told if that is earlier (a history
-- that was handed over later).
SELECT
    toString(source) AS source,
    argMin(least(toUnixTimestamp64Milli(received_at), toUnixTimestamp64Milli(event_time)), (received_at, log_offset)) AS began_ms
FROM rollcall.event_rows
WHERE source != 'reconcile' AND assignment_id != ''
GROUP BY source
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: events-of-lost-lives
-- The events, in their order, of those assignments that have a life of which no Created came, and nothing at its createdAt or before.
-- A life that the platform lists may be one of which nothing came.
SELECT
    assignment_id,
    toUnixTimestamp64Milli(event_time) AS event_time_ms,
    type_number,
    toUnixTimestamp64Milli(created_at) AS created_at_ms,
    toString(source) AS source,
    toString(user_id) AS user_id,
    toString(challenge_id) AS challenge_id
FROM rollcall.event_rows
WHERE akey IN {keys:Array(UInt64)} AND assignment_id IN {assignments:Array(String)}
    AND (assignment_id, akey) IN (
        SELECT assignment_id, akey
        FROM rollcall.event_rows
        WHERE akey IN {keys:Array(UInt64)}
        GROUP BY assignment_id, akey, created_at
        HAVING assignment_id IN {listed:Array(String)}
            OR (toUnixTimestamp64Milli(created_at) != 0 AND countIf(type_number = {created:UInt8}) = 0 AND min(event_time) > created_at)
    )
ORDER BY assignment_id, event_time, updated_at, indexOf({order:Array(UInt8)}, type_number), toString(event_id)
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: extra-before
-- Of these assignments of a person: which the last comparison did not find either, an hour ago or earlier. A comparison that found one
-- leaves no finding of it. Those that were held back had been confirmed then.
SELECT assignment_id, max(action = 'held_back') AS is_held
FROM rollcall.reconcile_findings
WHERE user_id = {user:String} AND assignment_id IN {assignments:Array(String)} AND kind = 'extra'
    AND found_at = (SELECT max(checked_at) FROM rollcall.reconcile_checks WHERE user_id = {user:String})
    AND (found_at <= {by:DateTime64(3, 'UTC')} OR action = 'held_back')
GROUP BY assignment_id

-- name: held-assignments
-- Our rows of the assignments of some people, and of some assignments of anybody: the last state of each, deleted
-- ones included. Times are epoch ms, 0 = unknown.
SELECT
    assignment_id AS assignmentId,
    toString(user_id) AS userId,
    toString(challenge_id) AS challengeId,
    class = 3 AS isDeleted,
    state,
    toString(status) AS status,
    toUnixTimestamp64Milli(valid_from) AS validFromMs,
    toUnixTimestamp64Milli(created_at) AS createdAtMs,
    toUnixTimestamp64Milli(updated_at) AS updatedAtMs,
    toUnixTimestamp64Milli(completed_at) AS completedAtMs,
    toUnixTimestamp64Milli(due_date) AS dueDateMs,
    toUnixTimestamp64Milli(reviewers_due_date) AS reviewersDueDateMs,
    toUnixTimestamp64Milli(first_viewed_at) AS firstViewedAtMs,
    grade,
    completion_percentage AS completionPercentage
FROM rollcall.open_versions
WHERE user_id IN {users:Array(String)} OR akey IN {keys:Array(UInt64)}
GROUP BY ALL
HAVING sum(sign) > 0
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: last-checks
SELECT user_id, argMax(extra, checked_at) AS extra, argMax(compared, checked_at) AS compared
FROM rollcall.reconcile_checks
WHERE outcome = 'compared' AND checked_at >= {since:DateTime64(3, 'UTC')}
GROUP BY user_id
ORDER BY max(checked_at) DESC

-- name: listed-before
-- Of these assignments: of which a lost Created was listed that cannot be repaired.
SELECT DISTINCT assignment_id
FROM rollcall.reconcile_findings
WHERE assignment_id IN {assignments:Array(String)} AND kind = 'created' AND action = 'listed'

-- name: next-people
-- The people to compare next, those who have left too, riskiest first: how long ago they were compared, times the signs of a difference - one was found the
-- last time, something is overdue (a lost completion looks like that), something is still open or ungraded (settled ones
-- change seldom). Age grows for everybody, so nobody waits for ever.
SELECT user_id
FROM
(
    SELECT user_id FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) WHERE user_id != ''
) AS person
LEFT JOIN
(
    SELECT user_id, max(checked_at) AS last_checked_at, argMax(missing + stale + extra + created, checked_at) AS differences
    FROM rollcall.reconcile_checks
    GROUP BY user_id
) AS last_check USING (user_id)
LEFT JOIN
(
    SELECT toString(user_id) AS user_id, sum(sign) AS unsettled, sumIf(sign, class = 0 AND toUnixTimestamp64Milli(due_date) != 0 AND due_date < {now:DateTime64(3, 'UTC')}) AS late
    FROM rollcall.open_versions
    WHERE class IN (0, 1)
    GROUP BY user_id
) AS work USING (user_id)
-- Leaves out people who were compared since then.
WHERE last_checked_at < {before:DateTime64(3, 'UTC')}
ORDER BY
    least(dateDiff('hour', last_checked_at, {now:DateTime64(3, 'UTC')}), 24 * 90) * (1 + 2 * (differences > 0) + (late > 0) + 0.5 * (unsettled > 0)) DESC,
    user_id
LIMIT {limit:UInt32}
SETTINGS join_use_nulls = 0

-- name: ordered-guides
SELECT DISTINCT guide_id AS id
FROM rollcall.guide_orders
