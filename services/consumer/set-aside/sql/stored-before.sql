-- Whether an earlier delivery has brought this event: one before it in the log, or of another partition or log.
SELECT log_offset AS offset
FROM rollcall.event_rows
WHERE akey = {akey:UInt64} AND event_id = {id:UUID} AND (log_partition != {partition:UInt32} OR log_offset < {offset:UInt64})
LIMIT 1
SETTINGS output_format_json_quote_64bit_integers = 0
