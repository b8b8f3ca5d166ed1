-- All counts behind the metrics of a scope, in one statement, so that they come from one snapshot. The engine counts assignments with
-- equal facts; read-blocks.ts computes the metrics from these counts. The statement uses no views and holds only the filters that are
-- set: planning costs the same for a small store as for a large one, and most stores are small.
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    toUnixTimestamp64Milli(as_of) AS as_of_ms,
    -- The signed states in scope. Each part of the statement reads only the columns that it needs: whatever it names is planned again.
    found AS
    (
        SELECT
            class, user_id, state, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at,
            challenge_id, -- if overview
            grade, due_spans, sign
        FROM
        (
        -- include versions-at -- unless by_fact
        SELECT * -- if by_fact
        -- include scope-at -- if by_fact
        )
        WHERE true
            AND toUInt16(toDate(created_at, {time_zone:String})) BETWEEN {assigned_from:UInt16} AND {assigned_to:UInt16} -- if assigned
            AND if(bitTest(state, 0) AND toUnixTimestamp64Milli(completed_at) != 0, toUInt16(toDate(completed_at, {time_zone:String})), 65535) BETWEEN {completed_from:UInt16} AND {completed_to:UInt16} -- if completed
            AND if(toUnixTimestamp64Milli(due_date) != 0, toUInt16(toDate(due_date, {due_zone:String})), 65535) BETWEEN {due_from:UInt16} AND {due_to:UInt16} -- if due
            AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({under:String}), 'Array(String)'))) -- if manager
            AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
            AND user_id NOT IN ( -- if without_leavers
            -- include leavers-at -- if without_leavers
            ) -- if without_leavers
            AND user_id IN ( -- if team
            -- include team-members-at -- if team
            ) -- if team
    ),
    scope AS
    (
        SELECT
            class, user_id, state, completed_at, first_graded_at, sign,
            challenge_id, -- if overview
            toUInt16(toDate(created_at, {time_zone:String})) AS created_on,
            if(bitTest(state, 0) AND completed_known, toUInt16(toDate(completed_at, {time_zone:String})), 65535) AS completed_on,
            if(due_known, toUInt16(toDate(due_date, {due_zone:String})), 65535) AS due_on,
            toUnixTimestamp64Milli(due_date) != 0 AS due_known,
            toUnixTimestamp64Milli(first_due_date) != 0 AS first_due_known,
            toUnixTimestamp64Milli(reviewers_due_date) != 0 AS reviewers_due_known,
            toUnixTimestamp64Milli(completed_at) != 0 AS completed_known,
            -- Keys are calendar days, or the instants themselves. "Before late from" is key <= due key; "late at T" is due key < key of T.
            toDate(as_of, {due_zone:String}) AS today_key, -- unless instant
            toDate(due_date, {due_zone:String}) AS due_key, -- unless instant
            toDate(first_due_date, {due_zone:String}) AS first_due_key, -- unless instant
            toDate(reviewers_due_date, {due_zone:String}) AS reviewers_due_key, -- unless instant
            toDate(completed_at, {due_zone:String}) AS completed_key, -- unless instant
            toDate(first_submitted_at, {due_zone:String}) AS submitted_key, -- unless instant
            toDate(first_graded_at, {due_zone:String}) AS graded_key, -- unless instant
            as_of AS today_key, -- if instant
            due_date AS due_key, -- if instant
            first_due_date AS first_due_key, -- if instant
            reviewers_due_date AS reviewers_due_key, -- if instant
            completed_at AS completed_key, -- if instant
            first_submitted_at AS submitted_key, -- if instant
            first_graded_at AS graded_key, -- if instant
            -- include ranking-bits -- if overview
            -- The facts as bits (schemas/metrics/facts.ts), without those that follow from other facts. The days since the due day
            -- start at bit 48, limited to one year ahead and 91 days behind: no metric distinguishes anything beyond that.
            toUInt64(bitAnd(state, 16777215))
            + bitShiftLeft(toUInt64(
                (due_known AND due_key < today_key) + 8 * due_known + 16 * first_due_known + 32 * reviewers_due_known + 64 * completed_known
                + 128 * (class = 0) + 256 * (class = 1)
            ), 24)
            + bitShiftLeft(toUInt64(
                (first_due_known AND first_due_key < today_key)
                + 2 * (reviewers_due_known AND reviewers_due_key < today_key)
                + 4 * (completed_known AND due_known AND completed_key <= due_key)
                + 8 * (completed_known AND first_due_known AND completed_key <= first_due_key)
                + 16 * (due_known AND toUnixTimestamp64Milli(first_submitted_at) != 0 AND submitted_key <= due_key)
                + 32 * (reviewers_due_known AND toUnixTimestamp64Milli(first_graded_at) != 0 AND graded_key <= reviewers_due_key)
                + if(class = 0 AND due_known, 4096 * greatest(0, least(458, 366 + toInt32(toDate(as_of, {due_zone:String})) - due_on)), 0)
            ), 36) AS bits
        FROM found
    )
-- Counts by one key at a time, one row per key. Day 65535 means "no day": it is after every time that can be read.
SELECT kind, [id] AS ids, day, groupArray(toString(key_bits)) AS bits, groupArray(n) AS counts, CAST(([], []) AS Map(String, Nullable(Float64))) AS numbers
FROM
(
SELECT kind, id, day, key_bits, sum(n) AS n
FROM
(
    SELECT
        multiIf(
            grouping(all_bits) = 0, 'facts',
            grouping(person) = 0, if(sumIf(sign, NOT is_completed) > 0, 'people', 'people_complete'),
            grouping(created_day) = 0, if(is_completed, 'assigned_completed', 'assigned_other'),
            grouping(completion_day) = 0, 'completed',
            grouping(challenge) = 0, 'challenges', -- if overview
            grouping(due_week) = 0, 'due_weeks', -- if overview
            'graded'
        ) AS kind,
        '' AS id, -- unless overview
        challenge AS id, -- if overview
        multiIf(
            grouping(created_day) = 0, created_day,
            grouping(completion_day) = 0, completion_day,
            grouping(due_week) = 0, due_week, -- if overview
            grouping(graded_day) = 0, graded_day,
            0
        ) AS day,
        all_bits AS key_bits, -- unless overview
        if(grouping(all_bits) = 0, all_bits, ranking) AS key_bits, -- if overview
        -- For the kinds about people this counts people, not assignments.
        if(grouping(person) = 0, sum(sign) > 0 AND person != '', sum(sign)) AS n
    FROM
    (
        SELECT
            bits AS all_bits,
            ranking_bits AS ranking, -- if overview
            toString(challenge_id) AS challenge, -- if overview
            if(due_on = 65535, 65535, toUInt16(toMonday(toDate(due_on)))) AS due_week, -- if overview
            user_id AS person,
            bitTest(state, 0) AS is_completed,
            created_on AS created_day,
            if(completed_at <= as_of, completed_on, 65535) AS completion_day,
            if(bitTest(state, 3), toUInt16(toDate(first_graded_at, {time_zone:String})), 65535) AS graded_day,
            sign
        FROM scope
    )
    GROUP BY GROUPING SETS (
        (all_bits), (person), (created_day, is_completed), (completion_day), (graded_day)
        , (challenge, ranking), (due_week, ranking) -- if overview
    )
    HAVING n != 0
)
GROUP BY kind, id, day, key_bits
)
GROUP BY kind, id, day
UNION ALL -- if overview
-- include team-sets -- if overview
UNION ALL
-- Ages of what awaits grading, and grades: the lower and upper median, the maximum, the sum, and ten bins of grades by their number.
-- The upper median is the negated lower median of the negated values. Grades below 0 or above 100 count in the first or last bin.
SELECT
    kind,
    [],
    0,
    ['0'],
    [sum(m)],
    mapFromArrays(
        ['lower', 'upper', 'maximum', 'sum', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
        arrayConcat(
            [quantileExactWeighted(0.5)(value, toUInt64(m)), -quantileExactWeighted(0.5)(-value, toUInt64(m)), max(value), sum(value * m)],
            sumForEach(arrayMap(bin -> if(bin = least(greatest(floor(value / 10), 0), 9), toFloat64(m), 0), range(10)))
        )
    )
FROM
(
    SELECT if(class = 1, 'ages', 'grades') AS kind, if(class = 1, toFloat64(as_of_ms - toUnixTimestamp64Milli(first_submitted_at)), grade) AS value, sum(sign) AS m
    FROM found
    WHERE class = 1 OR bitAnd(state, 8200) = 8200
    GROUP BY kind, value
    HAVING m != 0
)
GROUP BY kind
UNION ALL
-- Exact Kaplan-Meier estimates over the pieces: the waits at which survival falls to 0.5 and 0.1, with a tolerance of 1e-9. Also the
-- days on which overdue spans began, ended or turned.
SELECT
    ['time_to_complete', 'grading_turnaround', 'overdue_began', 'overdue_ended', 'overdue_turned'][kind_number + 1] AS kind,
    [],
    if(kind_number < 2, 0, toUInt16(bitAnd(bucket, 65535))) AS day,
    ['0'],
    [sum(n)],
    mapFromArrays(['ended', 'p50', 'p90'], arrayPushFront(minForEach(waits), toFloat64(sum(ended))))
FROM
(
    -- The waits at which this piece lets survival fall to each limit; infinite, which JSON says as null, where it does not.
    SELECT
        kind_number, bucket, n, ended,
        arrayMap(
            limit -> if(
                survival_before > limit AND survival <= limit,
                toFloat64(bitShiftRight(bitAnd(sorted[arrayFirstIndex(upto -> survival_before + upto <= limit, arrayCumSum(steps))], bitShiftLeft(1::Int64, 56) - 1), 1)),
                inf
            ),
            [log(0.5 + 1e-9), log(0.1 + 1e-9)]
        ) AS waits
    FROM
    (
        SELECT
            kind_number, bucket, n, sorted, steps, ended,
            sum(arraySum(steps)) OVER (PARTITION BY kind_number ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS survival,
            sum(arraySum(steps)) OVER (PARTITION BY kind_number ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS survival_before
        FROM
        (
            SELECT
                kind_number, bucket, n, sorted,
                -- Before the nth wait of a piece ends, at_risk - nth + 1 are still waiting. The very last one gives log(0) = -inf.
                arrayMap((wait, nth) -> if(bitTest(wait, 0), 0, log((at_risk - nth) / (at_risk - nth + 1))), sorted, arrayEnumerate(sorted)) AS steps,
                arrayCount(wait -> NOT bitTest(wait, 0), sorted) AS ended
            FROM
            (
                SELECT
                    bitShiftRight(bucket, 30) AS kind_number, bucket, n, sorted,
                    sum(n) OVER (PARTITION BY kind_number ORDER BY bucket DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS at_risk
                FROM
                (
                    -- Each event is one number: its kind from bit 56, and below that a wait, or a day from bit 26. The number above bit 26
                    -- is the key to count by: kind and day, or kind and a piece of nine hours. Pieces are sorted in parallel.
                    SELECT
                        bitShiftRight(moment, 26) AS bucket,
                        sum(sign) AS n,
                        -- A wait, and whether it was retracted (0) or added (1): of equal waits the retracted ones sort first.
                        arraySort(groupArrayIf(moment * 2 + (sign > 0), moment < bitShiftLeft(2::Int64, 56))) AS entries,
                        -- Each retracted wait removes the next equal one, by a running sum of the removals that are still open, never below 0.
                        -- A look-up would be slow: a piece holds thousands of equal waits after thousands of assignments in one second.
                        arrayMap(entry -> bitShiftRight(entry, 1), if(countIf(sign < 0) = 0, entries, arrayFilter(
                            (entry, to_take) -> bitTest(entry, 0) AND to_take = 0,
                            entries,
                            arrayShiftRight(arrayCumSumNonNegative(arrayMap(entry -> toInt64(1) - 2 * bitTest(entry, 0), entries)), 1, toInt64(0))
                        ))) AS sorted
                    FROM
                    (
                        -- A wait is one number: its length in ms, times 2, plus 1 if it still goes on (censored). Sorted by it, ends come
                        -- before censorings of the same length, so one pass is enough. -1 = not measured. A span is overdue from its "late
                        -- from" on: the first instant of the day after the due day.
                        SELECT
                            sign,
                            arrayFilter(span -> span.1 < span.2 AND span.1 <= as_of_ms, arrayMap(span -> (
                                greatest(span.1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(span.3), {due_zone:String}) + 1, 3, {due_zone:String}))), -- unless instant
                                greatest(span.1, span.3 + 1), -- if instant
                                span.2
                            ), due_spans)) AS overdue,
                            multiIf(
                                bitTest(state, 12), -1,
                                NOT bitTest(state, 0), (as_of_ms - toUnixTimestamp64Milli(created_at)) * 2 + 1,
                                toUnixTimestamp64Milli(completed_at) = 0, -1,
                                greatest(0, toUnixTimestamp64Milli(completed_at) - toUnixTimestamp64Milli(created_at)) * 2
                            ) AS to_complete,
                            multiIf(
                                bitTest(state, 14) OR bitTest(state, 17), -1,
                                class = 1, (as_of_ms - toUnixTimestamp64Milli(first_submitted_at)) * 2 + 1,
                                bitTest(state, 3), (toUnixTimestamp64Milli(first_graded_at) - toUnixTimestamp64Milli(first_submitted_at)) * 2,
                                -1
                            ) AS to_grade
                        FROM found
                    )
                    -- An overdue span counts from the day it began until the day it ended. Where a span begins exactly when the one before
                    -- ended, that is one turn, not an end and a beginning.
                    ARRAY JOIN arrayConcat(
                        [to_complete, if(to_grade < 0, -1, to_grade + bitShiftLeft(1::Int64, 56))],
                        arrayMap(span -> bitShiftLeft(2::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})), 26), overdue),
                        arrayMap(span -> if(span.2 > as_of_ms, -1, bitShiftLeft(3::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.2), {time_zone:String})), 26)), overdue),
                        arrayMap((span, before) -> if(before.2 = span.1, -1, bitShiftLeft(4::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})), 26)), overdue, arrayShiftRight(overdue, 1, (0::Int64, 0::Int64)))
                    ) AS moment
                    WHERE moment >= 0
                    GROUP BY bucket
                )
            )
        )
    )
)
GROUP BY kind, day
-- Two optimisations are off: they take a quarter of the planning and change nothing here. Moving conditions down takes another quarter,
-- so it is on only where there are filters.
SETTINGS
    query_plan_filter_push_down = 0, -- unless filtered
    optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
