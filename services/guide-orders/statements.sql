-- name: elsewhere
-- The outcomes, certain or possible, of other orders of the guide for these people.
SELECT
    user_id AS userId,
    argMax(order_id, needs_decision) AS orderId,
    max(needs_decision) AS isUndecided,
    max(outcome IN ('calling', 'unknown') AND NOT needs_decision) AS isUnsettled,
    max(outcome NOT IN ('calling', 'unknown')) AS isGiven,
    anyIf(assignment_id, outcome NOT IN ('calling', 'unknown')) AS assignmentId
FROM rollcall.guide_orders
WHERE guide_id = {guide_id:String}
    AND order_id != {order_id:String}
    AND user_id IN {user_ids:Array(String)}
    AND outcome IN ('calling', 'unknown', 'assigned', 'given', 'taking_back', 'kept')
GROUP BY user_id

-- name: facts
-- Who these people are as of now: their names, and whether they have left.
SELECT user_id AS userId, nullIf(name, '') AS name, active
FROM rollcall.people_at(as_of = now64(3, 'UTC'), now = now64(3, 'UTC'))
WHERE user_id IN {user_ids:Array(String)}

-- name: guides
SELECT guide_id AS id, coalesce(title, guide_id) AS title
FROM rollcall.guides
ORDER BY title, id

-- name: holders
-- Who has the guide already, as last pulled.
SELECT user_id AS userId, assignment_id AS assignmentId, completed
FROM rollcall.guide_assignments
WHERE guide_id = {guide_id:String} AND NOT archived AND user_id IN {user_ids:Array(String)}
ORDER BY userId, completed, assignmentId

-- name: lists
SELECT list, is_offered AS isOffered, toUnixTimestamp64Milli(answered_at) AS answeredAtMs
FROM rollcall.offered_lists
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: numeric-ids
-- Whose ids the platform sends as JSON numbers. What its API said last counts before what events said.
SELECT user_id AS userId
FROM rollcall.user_observations
WHERE user_id IN {user_ids:Array(String)}
GROUP BY user_id
HAVING argMax(id_is_number, (kind, observed_at, observation_id))

-- name: open
-- Orders with something left to do, oldest first. What a person decides about is left to that person.
SELECT order_id AS orderId
FROM rollcall.guide_orders
WHERE outcome IN ('planned', 'calling', 'unknown', 'waiting', 'taking_back') AND NOT needs_decision
GROUP BY order_id
ORDER BY min(asked_at), order_id

-- name: orders
-- Orders as they were placed, without collapsing repeats: two that share an id and differ must be seen.
SELECT
    order_id AS orderId,
    toUnixTimestamp64Milli(asked_at) AS askedAtMs,
    asked_by AS askedBy,
    reason,
    guide_id AS guideId,
    guide_title AS guideTitle,
    user_ids AS userIds,
    nullIf(toUnixTimestamp64Milli(due_date), 0) AS dueDateMs,
    again
FROM rollcall.guide_order_rows
WHERE order_id = {order_id:String}
ORDER BY asked_at
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: people
-- Where each person of an order stands. What was withdrawn never happened.
SELECT
    entry.user_id AS userId,
    argMax(entry.state, (entry.step, entry.at)) AS state,
    argMax(entry.assignment_id, (entry.step, entry.at)) AS assignmentId,
    argMax(entry.detail, (entry.step, entry.at)) AS detail,
    max(entry.step) AS lastStep,
    toUnixTimestamp64Milli(max(entry.at)) AS atMs,
    countIf(entry.state = 'intended') AS tries,
    countIf(entry.state = 'not_done' AND entry.detail != 'NOT_ON_LIST') AS turnedAway,
    countIf(entry.state = 'taking_back') AS takeBacks,
    toUnixTimestamp64Milli(maxIf(entry.at, entry.runner = 'person')) AS decidedAtMs,
    argMaxIf(entry.known_ids, (entry.step, entry.at), entry.state = 'intended') AS knownIds
FROM rollcall.guide_order_steps AS entry FINAL
WHERE entry.order_id = {order_id:String} AND entry.state != 'withdrawn'
GROUP BY entry.user_id
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: recent
SELECT order_id AS orderId
FROM rollcall.guide_order_rows FINAL
ORDER BY asked_at DESC, order_id
LIMIT {limit:UInt32}

-- name: rivals
-- Intents of other runners that saw no more of this person than we did.
SELECT runner
FROM rollcall.guide_order_steps FINAL
WHERE order_id = {order_id:String}
    AND user_id = {user_id:String}
    AND step >= {step:UInt32}
    AND runner != {runner:String}
    AND state != 'withdrawn'
LIMIT 1

-- name: size
-- How long the guide's list is, and when it was last seen.
SELECT count() AS assignments, toUnixTimestamp64Milli(max(observed_at)) AS seenAtMs
FROM rollcall.guide_assignments
WHERE guide_id = {guide_id:String}
SETTINGS output_format_json_quote_64bit_integers = 0
