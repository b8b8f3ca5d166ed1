-- The analysts' contract: every delivery that could not be used, once, with every reason. Bodies hold personal data and stay
-- in the table.
CREATE OR REPLACE VIEW rollcall.failed_events
(
    event_id String COMMENT 'First 32 hexadecimal digits of SHA-256 over the raw body: the receipt',
    received_at DateTime64(3, 'UTC') COMMENT 'When it was first received',
    source String COMMENT 'Name of the ingest token it arrived with',
    reasons Array(String) COMMENT 'Every reason why it cannot be read, from a closed list',
    problems Array(String) COMMENT 'The same in words, with the path of the field',
    body_bytes UInt64 COMMENT 'Length of the raw body'
) AS
SELECT
    replaceAll(toString(event_id), '-', '') AS event_id,
    received_at,
    source,
    reasons,
    problems,
    length(body) AS body_bytes
FROM rollcall.failed_event_rows FINAL
WHERE
    -- One that a later version can use is an event since it was replayed.
    event_id NOT IN (SELECT event_id FROM rollcall.event_bodies WHERE event_id IN (SELECT event_id FROM rollcall.failed_event_rows))
    -- One that a person has put right is done with once that is an event.
    AND event_id NOT IN
    (
        SELECT event_id FROM rollcall.failed_event_fixes
        WHERE fixed_event_id IN (SELECT event_id FROM rollcall.event_bodies WHERE event_id IN (SELECT fixed_event_id FROM rollcall.failed_event_fixes))
    )
COMMENT 'Webhooks that could not be read, each once, with the reasons'
