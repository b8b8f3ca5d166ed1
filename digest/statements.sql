-- name: alerts
SELECT alert, number, state, toUnixTimestamp64Milli(at) AS at_ms, detail, translations
FROM rollcall.alert_states FINAL
WHERE number > 0
ORDER BY at_ms DESC, alert
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: claims
-- The last step of every attempt since a day.
SELECT
    kind, recipient, period, claim,
    argMax(state, step) AS last_state,
    toUnixTimestamp64Milli(argMax(sends.at, step)) AS at_ms,
    argMax(address, step) AS last_address,
    argMax(detail, step) AS last_detail,
    toUnixTimestamp64Milli(max(covers_until)) AS covers_until_ms
FROM rollcall.digest_sends AS sends
WHERE (kind = {kind:String} OR {kind:String} = '' AND kind != 'reminder')
    AND ({recipient:String} = '' OR recipient = {recipient:String})
    AND ({period:String} = '' OR period = {period:String})
    AND sends.at >= {from:DateTime64(3, 'UTC')}
GROUP BY kind, recipient, period, claim
ORDER BY at_ms DESC, kind, recipient, period, claim
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: covered
-- Where the next digest begins, by recipient: where the last one that surely arrived ended. Where none did, a week before the first that
-- was tried: it may not have arrived.
SELECT
    kind, recipient,
    toUnixTimestamp64Milli(if(
        countIf(state IN ('sent', 'skipped')) > 0,
        maxIf(covers_until, state IN ('sent', 'skipped')),
        min(covers_until) - INTERVAL 7 DAY
    )) AS covers_until_ms
FROM rollcall.digest_sends
WHERE covers_until > toDateTime64(0, 3, 'UTC') AND at >= {from:DateTime64(3, 'UTC')}
GROUP BY kind, recipient
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: latest-alerts
-- The newest change of each alert.
SELECT alert, number, state, toUnixTimestamp64Milli(at) AS at_ms, detail, translations
FROM rollcall.alert_states FINAL
ORDER BY number DESC, alert
LIMIT 1 BY alert
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: latest-change
-- When this subscription was changed last, by whatever clock; 0 = never.
SELECT toUnixTimestamp64Milli(max(changed_at)) AS latest_ms
FROM rollcall.digest_subscriptions
WHERE login = {login:String}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: key-of-reminder
-- Whose reminders a link in a mail switches off.
SELECT DISTINCT user_id FROM rollcall.digest_reminders WHERE unsubscribe_key = {key:String}

-- name: left
-- Which of these people have left. Each digest asks, so not by the view of people, which takes twice as long to plan.
SELECT user_id
FROM rollcall.user_versions
WHERE user_id IN {users:Array(String)} AND NOT active AND valid_from <= {now:DateTime64(3, 'UTC')} AND valid_to > {now:DateTime64(3, 'UTC')}
GROUP BY user_id, img
HAVING sum(sign) > 0

-- name: latest-opt-out
SELECT toUnixTimestamp64Milli(max(said_at)) AS latest_ms FROM rollcall.digest_opt_outs WHERE user_id = {user:String}

-- name: opted-out
SELECT user_id FROM rollcall.digest_opt_outs FINAL WHERE user_id IN {users:Array(String)} AND is_out

-- name: reminders
-- Those since a moment with what became of each, newest first. Of several that were asked for on a day the last one counts, and of several
-- attempts the one that came furthest.
SELECT
    user_id, day, asked_by, language, assignments, unsubscribe_key,
    toUnixTimestamp64Milli(asked_at) AS asked_at_ms,
    if(send.last_state = '', 'asked', send.last_state) AS state,
    toUnixTimestamp64Milli(send.last_at) AS at_ms,
    send.last_detail AS detail
FROM (SELECT * FROM rollcall.digest_reminders ORDER BY asked_at DESC, unsubscribe_key LIMIT 1 BY user_id, day) AS asked
LEFT JOIN
(
    SELECT recipient, period, (argMax((state, at, detail), (rank, at)) AS furthest).1 AS last_state, furthest.2 AS last_at, furthest.3 AS last_detail
    FROM
    (
        SELECT
            recipient, period, claim,
            argMax(sends.state, step) AS state, argMax(sends.at, step) AS at, argMax(sends.detail, step) AS detail,
            indexOf(['withdrawn', 'not_sent', 'intended', 'skipped', 'refused', 'unknown', 'sent'], state) AS rank
        FROM rollcall.digest_sends AS sends
        WHERE kind = 'reminder' AND ({any:Bool} OR recipient IN {users:Array(String)})
        GROUP BY recipient, period, claim
    )
    GROUP BY recipient, period
) AS send ON send.recipient = asked.user_id AND send.period = asked.day
WHERE asked_at >= {from:DateTime64(3, 'UTC')} AND ({any:Bool} OR user_id IN {users:Array(String)})
ORDER BY asked_at DESC, user_id
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0, join_use_nulls = 0

-- name: subscriptions
SELECT
    login, email, frequency, weekday, hour, time_zone, language, alerts, unsubscribe_key, role, user_id,
    toUnixTimestamp64Milli(seen_at) AS seen_at_ms
FROM rollcall.digest_subscriptions FINAL
ORDER BY login
SETTINGS output_format_json_quote_64bit_integers = 0
