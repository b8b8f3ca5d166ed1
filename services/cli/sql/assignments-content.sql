SELECT count() AS rows, toString(sum(cityHash64(toString(tuple(*))))) AS content
FROM rollcall.assignments_as_of(
    as_of = {as_of:DateTime64(3, 'UTC')}, due_zone = {due_zone:String}, due_end = {due_end:String}, due_soon_days = {due_soon_days:UInt16}
)
SETTINGS output_format_json_quote_64bit_integers = 0
