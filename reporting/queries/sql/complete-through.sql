-- How far everything acknowledged is in the store. Asked before the data, in a statement of its own: within one, the engine may
-- have looked at the data first, and this would claim what they do not hold yet (seen once in a thousand readings under writes).
-- Of the log that is read at present: its generation is in the upper bits of the offsets.
SELECT if(count() = 0, NULL, toUnixTimestamp64Milli(argMax(through, generation))) AS complete_through
FROM
(
    SELECT generation, min(through) AS through
    FROM
    (
        SELECT bitShiftRight(next_offset, 43) AS generation, max(complete_through) AS through
        FROM rollcall.log_positions
        GROUP BY generation, log_partition
    )
    GROUP BY generation
)
SETTINGS output_format_json_quote_64bit_integers = 1
