-- The partition that is furthest behind.
SELECT min(through) AS through FROM (
    SELECT log_partition, toUnixTimestamp64Milli(max(complete_through)) AS through FROM rollcall.log_positions GROUP BY log_partition
)
HAVING count() > 0
SETTINGS output_format_json_quote_64bit_integers = 0
