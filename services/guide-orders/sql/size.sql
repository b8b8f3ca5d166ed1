-- How long the guide's list is, and when it was last seen.
SELECT count() AS assignments, toUnixTimestamp64Milli(max(observed_at)) AS seenAtMs
FROM rollcall.guide_assignments
WHERE guide_id = {guide_id:String}
SETTINGS output_format_json_quote_64bit_integers = 0
