-- A number that grows with every stored batch and stays the same while nothing arrives.
SELECT sum(next_offset) AS stored
FROM
(
    SELECT log_partition, max(next_offset) AS next_offset FROM rollcall.log_positions GROUP BY log_partition
)
SETTINGS output_format_json_quote_64bit_integers = 1
