SELECT toUnixTimestamp64Milli(complete_through) AS through
FROM rollcall.complete_through
WHERE complete_through IS NOT NULL
SETTINGS output_format_json_quote_64bit_integers = 0
