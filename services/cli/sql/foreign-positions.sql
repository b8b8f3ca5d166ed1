-- Whether consumers have stored anything here, and how many events there are.
SELECT
    (SELECT count() FROM rollcall.log_positions WHERE log_partition != {moved:UInt32}) AS positions,
    (SELECT count() FROM rollcall.event_rows) AS events
SETTINGS output_format_json_quote_64bit_integers = 0
