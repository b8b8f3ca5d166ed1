SELECT toUnixTimestamp(max(hour)) * 1000 AS hour FROM rollcall.ledger HAVING count() > 0
SETTINGS output_format_json_quote_64bit_integers = 0
