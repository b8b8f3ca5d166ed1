-- Of one generation of the log: positions of another one say nothing about it.
SELECT max(next_offset) AS next
FROM rollcall.log_positions
WHERE log_partition = {partition:UInt32} AND next_offset >= {from:UInt64} AND next_offset < {below:UInt64}
SETTINGS output_format_json_quote_64bit_integers = 0
