-- The analysts' contract: what became of every acknowledged delivery, per source and hour of receipt. A batch that was
-- recorded twice counts once (FINAL). A delivery is a record of a log: where a log was read anew, as one that took another's place,
-- its deliveries count anew, and those that were stored are duplicates.
CREATE OR REPLACE VIEW rollcall.ledger
(
    source String COMMENT 'Name of the ingest token',
    hour DateTime('UTC') COMMENT 'Hour of receipt',
    acknowledged UInt64 COMMENT 'Deliveries in the log',
    stored UInt64 COMMENT 'Stored as events',
    duplicate UInt64 COMMENT 'Repeats of a delivery that is stored or failed',
    failed UInt64 COMMENT 'Kept as failed events, with a reason',
    difference Int64 COMMENT 'Acknowledged less all the others: 0, or something is lost'
) AS
SELECT
    entry.source AS source,
    entry.hour AS hour,
    sum(entry.acknowledged) AS acknowledged,
    sum(entry.stored) AS stored,
    sum(entry.duplicate) AS duplicate,
    sum(entry.failed) AS failed,
    toInt64(acknowledged) - toInt64(stored) - toInt64(duplicate) - toInt64(failed) AS difference
FROM rollcall.log_positions FINAL
ARRAY JOIN ledger AS entry
GROUP BY source, hour
COMMENT 'What became of every acknowledged delivery, per source and hour'
