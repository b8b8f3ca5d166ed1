SELECT reason, count() AS events FROM rollcall.failed_events ARRAY JOIN reasons AS reason GROUP BY reason ORDER BY events DESC
SETTINGS output_format_json_quote_64bit_integers = 0
