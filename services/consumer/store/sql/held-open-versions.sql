-- What the table holds of the touched keys, in the text form in which it was inserted; collapsed, so that only what counts is left.
SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.open_versions
WHERE akey IN {keys:Array(UInt64)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1
