-- Since when no challenge event came by webhook, and how many came at the same time of the same weekday in the eight weeks before, by
-- the clock of the reporting zone. What a person must be told follows from it by schemas/silence.ts.
CREATE OR REPLACE VIEW rollcall.silence_at AS
WITH
    toDateTime64({now:DateTime64(3, 'UTC')}, 3, {time_zone:String}) AS asked,
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
    arrayFilter(
        (n, week) -> subtractWeeks(asked, week) - toIntervalSecond(window) >= span.2 AND subtractWeeks(asked, week) <= span.3,
        counts,
        range(1, 9)
    ) AS same_window
FROM
(
    SELECT
        [
            countIf(received_at > subtractWeeks(asked, 1) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 1)),
            countIf(received_at > subtractWeeks(asked, 2) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 2)),
            countIf(received_at > subtractWeeks(asked, 3) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 3)),
            countIf(received_at > subtractWeeks(asked, 4) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 4)),
            countIf(received_at > subtractWeeks(asked, 5) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 5)),
            countIf(received_at > subtractWeeks(asked, 6) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 6)),
            countIf(received_at > subtractWeeks(asked, 7) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 7)),
            countIf(received_at > subtractWeeks(asked, 8) - toIntervalSecond(window) AND received_at <= subtractWeeks(asked, 8))
        ] AS counts
    FROM arrivals
    WHERE received_at > subtractWeeks(asked, 10)
)
COMMENT 'How long nothing came, and what usually comes meanwhile'
