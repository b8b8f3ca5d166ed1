SELECT
    (SELECT sum(stored) FROM rollcall.ledger) AS stored,
    -- As Health counts them: what was put right since is not among them.
    (SELECT count() FROM rollcall.failed_events) AS failed,
    (SELECT toBool(count() > 0) FROM (SELECT 1 FROM rollcall.event_rows WHERE rank > 0 LIMIT 1)) AS has_challenge_events,
    (SELECT toBool(count() > 0) FROM (SELECT 1 FROM rollcall.event_rows WHERE event_type = 'rollcall.test' LIMIT 1)) AS has_test_events,
    (SELECT toBool(count() > 0) FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample
SETTINGS output_format_json_quote_64bit_integers = 0
