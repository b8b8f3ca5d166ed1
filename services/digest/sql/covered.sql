-- Where the next digest begins, by recipient: where the last one that surely arrived ended. Where none did, a week before the first that
-- was tried: it may not have arrived.
SELECT
    kind, recipient,
    toUnixTimestamp64Milli(if(
        countIf(state IN ('sent', 'skipped')) > 0,
        maxIf(covers_until, state IN ('sent', 'skipped')),
        min(covers_until) - INTERVAL 7 DAY
    )) AS covers_until_ms
FROM rollcall.digest_sends
WHERE covers_until > toDateTime64(0, 3, 'UTC') AND at >= {from:DateTime64(3, 'UTC')}
GROUP BY kind, recipient
SETTINGS output_format_json_quote_64bit_integers = 0
