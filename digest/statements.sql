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
WHERE ({kind:String} = '' OR kind = {kind:String})
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
SELECT
    alert, max(number) AS last_number, argMax(state, number) AS last_state,
    toUnixTimestamp64Milli(argMax(at, number)) AS at_ms, argMax(detail, number) AS last_detail,
    argMax(translations, number) AS last_translations
FROM rollcall.alert_states
GROUP BY alert
ORDER BY alert
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: latest-change
-- When this subscription was changed last, by whatever clock; 0 = never.
SELECT toUnixTimestamp64Milli(max(changed_at)) AS latest_ms
FROM rollcall.digest_subscriptions
WHERE login = {login:String}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: left
-- Which of these people have left.
SELECT user_id
FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE user_id IN {users:Array(String)} AND NOT active

-- name: subscriptions
SELECT
    login, email, frequency, weekday, hour, time_zone, language, alerts, unsubscribe_key, role, user_id,
    toUnixTimestamp64Milli(seen_at) AS seen_at_ms
FROM rollcall.digest_subscriptions FINAL
ORDER BY login
SETTINGS output_format_json_quote_64bit_integers = 0
