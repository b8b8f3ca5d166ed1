-- How far everything acknowledged is in the store. Asked before the data, in a statement of its own: within one, the engine may
-- have looked at the data first, and this would claim what they do not hold yet (seen once in a thousand readings under writes).
SELECT toUnixTimestamp64Milli(complete_through) AS complete_through
FROM rollcall.complete_through
SETTINGS output_format_json_quote_64bit_integers = 1
