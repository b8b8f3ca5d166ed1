-- name: platform-calls
SELECT toUnixTimestamp(minute) * 1000 AS minuteMs, sum(calls) AS calls
FROM (
    SELECT minute, process, argMax(calls, recorded_at) AS calls
    FROM rollcall.platform_calls
    WHERE minute >= toDateTime(intDiv({since:Int64}, 1000), 'UTC') AND process != {process:String}
    GROUP BY minute, process
)
GROUP BY minute
SETTINGS output_format_json_quote_64bit_integers = 0
