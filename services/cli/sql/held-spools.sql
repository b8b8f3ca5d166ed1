-- Spools that hold deliveries, as they said last; and those that were given up.
SELECT
    toString(place) AS place,
    holder,
    records,
    toUnixTimestamp64Milli(oldest_at) AS oldestAt,
    toUnixTimestamp64Milli(reported_at) AS reportedAt
FROM rollcall.waiting_rows FINAL
WHERE place IN ('spool', 'lost') AND records > 0
ORDER BY place, holder
SETTINGS output_format_json_quote_64bit_integers = 0
