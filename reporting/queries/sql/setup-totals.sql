SELECT
    (SELECT sum(stored) FROM rollcall.ledger) AS stored,
    (SELECT sum(failed) FROM rollcall.ledger) AS failed,
    (SELECT toBool(count() > 0) FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample
SETTINGS output_format_json_quote_64bit_integers = 0
