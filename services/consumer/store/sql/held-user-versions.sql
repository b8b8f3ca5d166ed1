SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.user_versions
WHERE user_id IN {users:Array(String)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1
