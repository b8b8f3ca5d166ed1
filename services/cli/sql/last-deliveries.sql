SELECT source, formatDateTime(max(hour), '%Y-%m-%dT%H:00Z', 'UTC') AS last FROM rollcall.ledger GROUP BY source
