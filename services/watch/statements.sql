-- name: acknowledged-standing
SELECT
    (SELECT toUnixTimestamp64Milli(complete_through) FROM rollcall.complete_through) AS through,
    (SELECT toUnixTimestamp64Milli(max(reported_at)) FROM rollcall.acknowledged_rows) AS latest
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: known-spools
SELECT
    holder,
    records,
    toUnixTimestamp64Milli(oldest_at) AS oldestAt
FROM rollcall.waiting_rows FINAL
WHERE place = 'spool'
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: ledger
SELECT sum(waiting) AS waiting, sum(difference) AS difference
FROM rollcall.ledger
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: silence
SELECT received, last_at AS lastAt, window_seconds AS windowSeconds, same_window AS sameWindow
FROM rollcall.silence_at(now = {now:DateTime64(3, 'UTC')}, time_zone = {time_zone:String})
SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 60

-- name: waiting-standing
SELECT holder, records, toUnixTimestamp64Milli(reported_at) AS reportedAt
FROM rollcall.waiting_rows FINAL
WHERE place = 'log'
SETTINGS output_format_json_quote_64bit_integers = 0
