-- The hours from one on, and every older one that does not add up.
SELECT
    formatDateTime(hour, '%Y-%m-%dT%H:00Z', 'UTC') AS hour,
    source,
    l.acknowledged AS acknowledged,
    l.waiting AS waiting,
    l.stored AS stored,
    l.duplicate AS duplicate,
    l.failed AS failed,
    l.difference AS difference,
    l.answered AS answered
FROM rollcall.ledger AS l
WHERE l.hour >= toDateTime({from:UInt32}, 'UTC') OR l.difference != 0
ORDER BY l.hour, source
LIMIT 5000
SETTINGS output_format_json_quote_64bit_integers = 0
