SELECT sum(acknowledged) AS acknowledged, sum(difference) AS difference FROM rollcall.ledger
SETTINGS output_format_json_quote_64bit_integers = 0
