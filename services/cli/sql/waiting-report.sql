-- How old the oldest report of what waits is.
SELECT toUnixTimestamp64Milli(min(reported_at)) AS reportedAt
FROM rollcall.waiting
WHERE records > 0
HAVING count() > 0
SETTINGS output_format_json_quote_64bit_integers = 0
