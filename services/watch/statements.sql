-- name: known-spools
SELECT toString(place) AS place, holder, records, toUnixTimestamp64Milli(oldest_at) AS oldestAt
FROM rollcall.waiting_rows FINAL
WHERE place IN ('spool', 'lost')
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: ledger
SELECT waiting, lost, difference
FROM rollcall.ledger_total
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: silence
SELECT received, last_at AS lastAt, window_seconds AS windowSeconds, same_window AS sameWindow
FROM rollcall.silence_at(now = {now:DateTime64(3, 'UTC')}, weeks_before = {weeks_before:Array(Int64)})
SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 60

-- name: waiting-standing
SELECT holder, records, toUnixTimestamp64Milli(reported_at) AS reportedAt
FROM rollcall.waiting_rows FINAL
WHERE place = 'log'
SETTINGS output_format_json_quote_64bit_integers = 0
