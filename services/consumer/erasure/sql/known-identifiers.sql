-- By what a person was called in anything that is kept.
SELECT arrayDistinct(arrayFilter(text -> text != '', groupArrayArray([ifNull(name, ''), ifNull(email, '')]))) AS texts,
    arrayFilter(text -> text != '', groupUniqArray(ifNull(email, ''))) AS emails,
    count() AS observations,
    countIf(name IS NOT NULL OR email IS NOT NULL) AS identifying
FROM rollcall.user_observations
WHERE user_id = {user:String}
SETTINGS output_format_json_quote_64bit_integers = 0
