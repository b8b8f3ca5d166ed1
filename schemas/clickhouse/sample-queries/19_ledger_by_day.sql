-- Is everything that was acknowledged accounted for? The difference is 0, or something is lost.
SELECT
    toDate(hour) AS day,
    source,
    sum(l.acknowledged) AS acknowledged_deliveries,
    sum(l.stored) AS stored_events,
    sum(l.duplicate) AS repeats,
    sum(l.failed) AS unusable,
    sum(l.difference) AS unaccounted
FROM rollcall.ledger AS l
GROUP BY day, source
ORDER BY day, source
