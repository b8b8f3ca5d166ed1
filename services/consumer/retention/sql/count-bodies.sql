SELECT count() AS rows
FROM rollcall.event_bodies
WHERE received_at < {before:DateTime64(3, 'UTC')}
SETTINGS output_format_json_quote_64bit_integers = 0
