-- The partition that is furthest behind, of the log that is read at present: the generation in the upper bits of the offsets.
SELECT min(through) AS through FROM (
    SELECT
        bitShiftRight(next_offset, 43) AS generation,
        log_partition,
        toUnixTimestamp64Milli(max(complete_through)) AS through
    FROM rollcall.log_positions
    GROUP BY generation, log_partition
)
GROUP BY generation
ORDER BY generation DESC
LIMIT 1
SETTINGS output_format_json_quote_64bit_integers = 0
