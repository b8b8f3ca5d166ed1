-- The newest change of each alert.
SELECT
    alert, max(number) AS last_number, argMax(state, number) AS last_state,
    toUnixTimestamp64Milli(argMax(at, number)) AS at_ms, argMax(detail, number) AS last_detail,
    argMax(translations, number) AS last_translations
FROM rollcall.alert_states
GROUP BY alert
ORDER BY alert
SETTINGS output_format_json_quote_64bit_integers = 0
