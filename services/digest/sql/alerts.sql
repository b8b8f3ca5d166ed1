SELECT alert, number, state, toUnixTimestamp64Milli(at) AS at_ms, detail, translations
FROM rollcall.alert_states FINAL
WHERE number > 0
ORDER BY at_ms DESC, alert
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
