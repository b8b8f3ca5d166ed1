SELECT
    holder,
    records,
    toUnixTimestamp64Milli(oldest_at) AS oldestAt,
    toUnixTimestamp64Milli(emptied_at) AS emptiedAt
FROM rollcall.waiting_rows FINAL
WHERE place = 'spool'
SETTINGS output_format_json_quote_64bit_integers = 0
