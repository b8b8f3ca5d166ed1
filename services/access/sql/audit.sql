-- The newest entries; `before` goes on where a page ended.
SELECT toUnixTimestamp64Milli(at) AS at_ms, login, action, detail, address
FROM rollcall.access_audit
WHERE at < {before:DateTime64(3, 'UTC')} AND ({action:String} = '' OR action = {action:String})
ORDER BY at DESC
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
