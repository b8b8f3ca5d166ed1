SELECT max(next_offset) AS next
FROM rollcall.log_positions
WHERE log_partition = {partition:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
