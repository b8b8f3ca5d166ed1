-- The analysts' contract: what became of deliveries, by source and hour of receipt. A batch that was recorded twice counts once (FINAL).
-- A delivery is a record of the log: a repeat is one as well.
CREATE OR REPLACE VIEW rollcall.ledger
(
    source String COMMENT 'Name of the ingest token',
    hour DateTime('UTC') COMMENT 'Hour of receipt',
    stored UInt64 COMMENT 'Stored as events',
    repeated UInt64 COMMENT 'Repeats of a webhook that is stored or failed',
    failed UInt64 COMMENT 'Kept as failed events, with a reason'
) AS
SELECT
    entry.source AS source,
    entry.hour AS hour,
    sum(entry.stored) AS stored,
    sum(entry.repeated) AS repeated,
    sum(entry.failed) AS failed
FROM rollcall.log_positions FINAL
ARRAY JOIN ledger AS entry
GROUP BY source, hour
COMMENT 'Webhooks by source and hour: stored, repeated or failed'
