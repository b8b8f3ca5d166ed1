SELECT sum(waiting) AS waiting, sum(difference) AS difference
FROM rollcall.ledger
SETTINGS output_format_json_quote_64bit_integers = 0
