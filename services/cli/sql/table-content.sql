-- As much of a table's content as tells it from any other, whatever was merged already.
SELECT count() AS rows, toString(sum(cityHash64(toString(tuple(*))))) AS content
FROM rollcall.{table:Identifier} FINAL
SETTINGS output_format_json_quote_64bit_integers = 0
