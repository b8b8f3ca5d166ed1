-- The longest stall that a consumer has reported, and that nothing was stored since.
SELECT toUnixTimestamp64Milli(stalled_since) AS since, code, reason
FROM rollcall.waiting
WHERE records > 0 AND stalled_since > toDateTime64(0, 3, 'UTC')
ORDER BY stalled_since
LIMIT 1
SETTINGS output_format_json_quote_64bit_integers = 0
