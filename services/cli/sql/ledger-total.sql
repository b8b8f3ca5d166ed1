SELECT
    sum(l.acknowledged) AS acknowledged,
    sum(l.waiting) AS waiting,
    sum(l.stored) AS stored,
    sum(l.duplicate) AS duplicate,
    sum(l.failed) AS failed,
    sum(l.difference) AS difference,
    sum(l.answered) AS answered
FROM rollcall.ledger AS l
SETTINGS output_format_json_quote_64bit_integers = 0
