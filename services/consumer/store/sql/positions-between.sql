-- What was recorded as stored between two offsets, by whomever, and counts in the ledger.
SELECT first_offset AS first, next_offset AS next
FROM rollcall.log_positions FINAL
WHERE log_partition = {partition:UInt32}
    AND first_offset >= {from:UInt64}
    AND next_offset <= {through:UInt64}
    AND first_offset < next_offset
    AND notEmpty(ledger)
SETTINGS output_format_json_quote_64bit_integers = 0
