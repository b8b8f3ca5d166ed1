-- As held-open-versions, of the versions that ended at or after an instant: earlier ones cannot have changed, and the table is
-- ordered by the end, so the usual batch reads only its tail.
SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.closed_versions
WHERE valid_to >= fromUnixTimestamp64Milli({ended_from_ms:Int64}, 'UTC') AND akey IN {keys:Array(UInt64)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1
