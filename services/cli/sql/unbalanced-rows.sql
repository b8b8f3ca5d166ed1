-- Every assignment has one open version, whatever parts and signs hold it.
SELECT count() AS assignments FROM (
    SELECT akey, assignment_id FROM rollcall.open_versions GROUP BY akey, assignment_id HAVING sum(sign) != 1
)
SETTINGS output_format_json_quote_64bit_integers = 0
