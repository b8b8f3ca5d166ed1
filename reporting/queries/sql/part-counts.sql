-- What statements/blocks.ts counts, part by part and independent of the moment: instead of what holds at T it gives the days and instants that decide it.
-- Signs add up, so the counts of some parts are the sum of the counts of each. counted-parts/ keeps them and computes the answer.
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    toUnixTimestamp64Milli(as_of) AS as_of_ms,
    stored AS
    (
        SELECT
            _part AS part, class, user_id, state, valid_from, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at,
            first_graded_at, grade, due_spans, sign
        FROM rollcall.open_versions -- unless closed
        FROM rollcall.closed_versions -- if closed
        WHERE _part IN {parts:Array(String)}
            AND valid_to > as_of -- if closed
            AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    ),
    found AS
    (
        SELECT * FROM stored
        WHERE class != 3 AND valid_from <= as_of
            AND user_id NOT IN ( -- if without_leavers
            -- include leavers-at -- if without_leavers
            ) -- if without_leavers
    ),
    spans AS
    (
        SELECT
            part, class, state, sign, created_at, completed_at, first_submitted_at, first_graded_at,
            -- include part-spans
        FROM found
    )
-- Every part that was read, and between which moments its counts hold: since the last row of it that began or was completed, and until the next.
SELECT
    part,
    'part' AS kind,
    '' AS id,
    CAST([], 'Array(String)') AS ids,
    [
        toFloat64(max(greatest(if(valid_from <= as_of, from_ms, -9000000000000000), if(completed_at <= as_of, completed_ms, -9000000000000000)))),
        toFloat64(min(if(valid_from > as_of, from_ms, 9000000000000000))),
        toFloat64(min(if(class != 3 AND completed_at > as_of, completed_ms, 9000000000000000)))
    ] AS numbers,
    CAST([], 'Array(Int64)') AS counts
FROM (SELECT part, class, valid_from, completed_at, toUnixTimestamp64Milli(valid_from) AS from_ms, toUnixTimestamp64Milli(completed_at) AS completed_ms FROM stored)
GROUP BY part
UNION ALL
SELECT part, 'facts', toString(bits), [], groupArray(toFloat64(days)), groupArray(n)
FROM
(
    SELECT
        part,
        -- include part-facts
        sum(sign) AS n
    FROM
    (
        SELECT
            *,
            -- include part-keys
        FROM found
    )
    GROUP BY part, bits, days
    HAVING n != 0
)
GROUP BY part, bits
UNION ALL
-- People: how many assignments each has, and how many of them are not completed.
SELECT part, 'people', '', groupArray(toString(user_id)), groupArray(toFloat64(going_on)), groupArray(n)
FROM (SELECT part, user_id, sumIf(sign, NOT bitTest(state, 0)) AS going_on, sum(sign) AS n FROM found GROUP BY part, user_id HAVING n != 0 OR going_on != 0)
GROUP BY part
UNION ALL
SELECT part, 'grades', '', [], groupArray(grade), groupArray(n)
FROM (SELECT part, grade, sum(sign) AS n FROM found WHERE bitAnd(state, 8200) = 8200 GROUP BY part, grade HAVING n != 0)
GROUP BY part
UNION ALL
SELECT part, 'days', '', [], groupArray(toFloat64(moment)), groupArray(n)
FROM
(
    SELECT part, moment, sum(sign) AS n
    FROM spans
    ARRAY JOIN
    -- include part-days
    AS moment
    WHERE moment != 0
    GROUP BY part, moment
    HAVING n != 0
)
GROUP BY part
UNION ALL
-- Of added rows as differences of neighbours, and of retracted rows. Pieces of 25 days are sorted in parallel.
SELECT
    part,
    'moments',
    toString(bitShiftRight(piece, 25)),
    [],
    arrayMap(step -> toFloat64(step), arrayPopFront(arrayDifference(arrayPushFront(arraySort(groupArrayIf(value, sign > 0)), 0::Int64)))),
    arraySort(groupArrayIf(value, sign < 0))
FROM
(
    SELECT part, bitShiftRight(moment, 31) AS piece, bitAnd(moment, bitShiftLeft(1::Int64, 56) - 1) AS value, sign
    FROM
    (
        SELECT
            part, sign, overdue,
            -- include part-waits
        FROM spans
    )
    ARRAY JOIN
    -- include part-moments
    AS moment
    WHERE moment >= 0
)
GROUP BY part, piece
SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
