-- When something was changed last, by whatever clock; 0 = never. One of the tables, by its name.
SELECT toUnixTimestamp64Milli(max(changed_at)) AS latest_ms
FROM
(
    SELECT changed_at FROM rollcall.access_people WHERE {table:String} = 'access_people' AND login = {key:String}
    UNION ALL
    SELECT changed_at FROM rollcall.access_tokens WHERE {table:String} = 'access_tokens' AND id = {key:String}
    UNION ALL
    SELECT changed_at FROM rollcall.access_shares WHERE {table:String} = 'access_shares' AND id = {key:String}
    UNION ALL
    SELECT changed_at FROM rollcall.access_views WHERE {table:String} = 'access_views' AND id = {key:String}
)
SETTINGS output_format_json_quote_64bit_integers = 0
