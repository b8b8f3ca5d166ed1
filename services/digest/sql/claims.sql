-- The last step of every attempt since a day.
SELECT
    kind, recipient, period, claim,
    argMax(state, step) AS last_state,
    toUnixTimestamp64Milli(argMax(sends.at, step)) AS at_ms,
    argMax(address, step) AS last_address,
    argMax(detail, step) AS last_detail,
    toUnixTimestamp64Milli(max(covers_until)) AS covers_until_ms
FROM rollcall.digest_sends AS sends
WHERE ({kind:String} = '' OR kind = {kind:String})
    AND ({recipient:String} = '' OR recipient = {recipient:String})
    AND ({period:String} = '' OR period = {period:String})
    AND sends.at >= {from:DateTime64(3, 'UTC')}
GROUP BY kind, recipient, period, claim
ORDER BY at_ms DESC, kind, recipient, period, claim
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
