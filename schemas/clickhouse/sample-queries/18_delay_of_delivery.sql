-- How late do webhooks arrive? By hour of the last week in which any did.
SELECT
    toStartOfHour(received_at) AS hour,
    count() AS events,
    quantile(0.5)(date_diff('second', event_time, received_at)) AS median_delay_s,
    quantile(0.99)(date_diff('second', event_time, received_at)) AS p99_delay_s
FROM rollcall.events
WHERE received_at > now() - INTERVAL 7 DAY
GROUP BY hour
ORDER BY hour
