-- Every job that ever ran, by name.
SELECT
    job,
    state,
    if(last_success_at IS NULL, NULL, concat(formatDateTime(assumeNotNull(last_success_at), '%FT%T', 'UTC'), 'Z')) AS last_success_at,
    items,
    skipped,
    error,
    note
FROM rollcall.pulls
ORDER BY job
SETTINGS output_format_json_quote_64bit_integers = 0
