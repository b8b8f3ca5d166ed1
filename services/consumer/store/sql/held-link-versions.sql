-- Of every pair with one of these people in it.
SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.link_versions
WHERE manager_id IN {users:Array(String)} OR report_id IN {users:Array(String)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1
