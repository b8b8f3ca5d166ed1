SELECT subject, toUnixTimestamp64Milli(max(ended_at)) AS ended_at_ms
FROM rollcall.access_session_ends
GROUP BY subject
SETTINGS output_format_json_quote_64bit_integers = 0
