SELECT
    (SELECT toUnixTimestamp64Milli(complete_through) FROM rollcall.complete_through) AS through,
    (SELECT toUnixTimestamp64Milli(max(reported_at)) FROM rollcall.acknowledged_rows) AS latest
SETTINGS output_format_json_quote_64bit_integers = 0
