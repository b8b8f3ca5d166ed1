-- What a page shows besides its metrics: names, and what has arrived recently. A statement of its own, because it does not need their
-- snapshot.
SELECT
    (
        SELECT groupArray((kind, id, name))
        FROM
        (
            -- include names-now
        )
    ) AS names,
    (SELECT count() > 0 FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample,
    (SELECT count() > 0 FROM (SELECT 1 FROM rollcall.event_rows WHERE rank > 0 LIMIT 1)) AS has_challenge_events,
    (
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.event_rows),
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.failed_event_rows),
        (SELECT uniqExact(event_id) FROM rollcall.failed_event_rows WHERE received_at >= {today:DateTime64(3, 'UTC')}),
        (SELECT uniqExact(event_id) FROM rollcall.event_rows WHERE received_at >= {today:DateTime64(3, 'UTC')} AND rank = 0 AND event_type != 'userDeleted')
    ) AS received
SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 1
