-- Since when no challenge event came by webhook, and how many came at the same time of the same weekday in the eight weeks before:
-- `weeks_before` has the instants (epoch ms), by the clock of the reporting zone. What a person must be told follows from it by schemas/silence.ts.
CREATE OR REPLACE VIEW rollcall.silence_at AS
WITH
    {now:DateTime64(3, 'UTC')} AS asked,
    arrayMap(ms -> fromUnixTimestamp64Milli(ms, 'UTC'), {weeks_before:Array(Int64)}) AS weeks_before,
    arrivals AS
    (
        -- Not what reconciliation made: it comes also while the webhook is broken.
        SELECT received_at FROM rollcall.event_rows WHERE type_number > 0 AND source != 'reconcile' AND received_at <= asked
    ),
    (SELECT (count(), min(received_at), max(received_at)) FROM arrivals) AS span,
    toUInt32(least(greatest(dateDiff('second', span.3, asked), 0), 86400)) AS window
SELECT
    span.1 AS received,
    toUnixTimestamp64Milli(span.2) AS first_at,
    toUnixTimestamp64Milli(span.3) AS last_at,
    window AS window_seconds,
    -- How many came in the same window one week ago, two weeks ago, and so on; only of weeks that this store has wholly seen.
    arrayFilter((n, week) -> week - toIntervalSecond(window) >= span.2 AND week <= span.3, counts, weeks_before) AS same_window
FROM
(
    SELECT
        sumForEach(arrayMap(week -> received_at > week - toIntervalSecond(window) AND received_at <= week, weeks_before)) AS found,
        arrayResize(found, length(weeks_before)) AS counts
    FROM arrivals
    WHERE received_at > asked - INTERVAL 10 WEEK
)
COMMENT 'How long nothing came, and what usually comes meanwhile'
