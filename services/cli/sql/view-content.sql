-- As much of a view's content as tells it from any other, whatever the order of its rows.
SELECT count() AS rows, toString(sum(cityHash64(toString(tuple(*))))) AS content
FROM rollcall.{view:Identifier}
SETTINGS output_format_json_quote_64bit_integers = 0
