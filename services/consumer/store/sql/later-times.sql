SELECT count() AS rows
FROM rollcall.log_positions
WHERE log_partition = {partition:UInt32} AND first_offset = {next:UInt64} AND next_offset = {next:UInt64}
    AND (recorded_at > fromUnixTimestamp64Milli({now:Int64}, 'UTC') OR complete_through > fromUnixTimestamp64Milli({as_of:Int64}, 'UTC'))
SETTINGS output_format_json_quote_64bit_integers = 0
