-- Recent arrivals, and how long each took from the event to our receipt. Repeats are counted in the ledger.
WITH
    {now:DateTime64(3, 'UTC')} AS asked,
    arrived AS
    (
        SELECT received_at, event_time, rank > 0 AND source != 'reconcile' AS is_event
        FROM rollcall.event_rows
        WHERE received_at > asked - INTERVAL 48 HOUR AND received_at <= asked
        UNION ALL
        SELECT received_at, received_at, false
        FROM rollcall.failed_event_rows
        WHERE received_at > asked - INTERVAL 48 HOUR AND received_at <= asked
    )
SELECT
    (
        SELECT groupArray((at, events))
        FROM
        (
            SELECT toUnixTimestamp(toStartOfMinute(received_at)) AS at, toUInt32(count()) AS events
            FROM arrived WHERE received_at > asked - INTERVAL 1 HOUR GROUP BY at ORDER BY at
        )
    ) AS minutes,
    (
        SELECT groupArray((at, events))
        FROM (SELECT toUnixTimestamp(toStartOfHour(received_at)) AS at, toUInt32(count()) AS events FROM arrived GROUP BY at ORDER BY at)
    ) AS hours,
    (
        SELECT (toUInt32(count()), quantileExact(0.5)(delay), quantileExact(0.9)(delay))
        FROM
        (
            SELECT greatest(toInt64(0), dateDiff('millisecond', event_time, received_at)) AS delay
            FROM arrived WHERE is_event AND received_at > asked - INTERVAL 24 HOUR
        )
    ) AS delay
SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 60
