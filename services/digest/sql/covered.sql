-- How far the digests that surely arrived reach, by recipient.
SELECT kind, recipient, toUnixTimestamp64Milli(max(covers_until)) AS covers_until_ms
FROM rollcall.digest_sends
WHERE state IN ('sent', 'skipped') AND step = 2 AND at >= {from:DateTime64(3, 'UTC')}
GROUP BY kind, recipient
SETTINGS output_format_json_quote_64bit_integers = 0
