SELECT kind, id, name, toUnixTimestamp64Milli(max(last_seen)) AS last_seen
FROM rollcall.names
WHERE hex(SHA256(name)) IN {hashes:Array(String)}
GROUP BY kind, id, name
SETTINGS output_format_json_quote_64bit_integers = 0
