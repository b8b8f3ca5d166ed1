-- Those that say what became of deliveries: they are the ledger.
SELECT first_offset, next_offset, recorded_at, toDateTime64('2200-01-01 00:00:00', 3, 'UTC') AS complete_through, ledger
FROM rollcall.log_positions FINAL
WHERE notEmpty(ledger)
