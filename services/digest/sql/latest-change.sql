-- When this subscription was changed last, by whatever clock; 0 = never.
SELECT toUnixTimestamp64Milli(max(changed_at)) AS latest_ms
FROM rollcall.digest_subscriptions
WHERE login = {login:String}
SETTINGS output_format_json_quote_64bit_integers = 0
