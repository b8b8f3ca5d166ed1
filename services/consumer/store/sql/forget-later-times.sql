-- Waited for: the row that comes next must not be among them.
ALTER TABLE rollcall.log_positions
DELETE WHERE log_partition = {partition:UInt32} AND first_offset = {next:UInt64} AND next_offset = {next:UInt64}
    AND (recorded_at > fromUnixTimestamp64Milli({now:Int64}, 'UTC') OR complete_through > fromUnixTimestamp64Milli({as_of:Int64}, 'UTC'))
SETTINGS mutations_sync = 2
