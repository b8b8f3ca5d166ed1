SELECT
    login, email, frequency, weekday, hour, time_zone, language, alerts, unsubscribe_key, role, user_id,
    toUnixTimestamp64Milli(seen_at) AS seen_at_ms
FROM rollcall.digest_subscriptions FINAL
ORDER BY login
SETTINGS output_format_json_quote_64bit_integers = 0
