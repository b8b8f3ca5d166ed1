SELECT
    (SELECT count() FROM rollcall.user_observations WHERE user_id = {user:String} AND (assumeNotNull(name) != '' OR assumeNotNull(email) != ''))
    + (SELECT count() FROM rollcall.user_versions WHERE user_id = {user:String} AND (name != '' OR email != '')) AS rows
SETTINGS output_format_json_quote_64bit_integers = 0
