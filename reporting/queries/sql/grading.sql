-- What the Grading page counts, from one scan: how long grades take by challenge and by the period of the first grade, how long what
-- awaits one has waited, and by when reviewers are to give it. Each assignment is an entry in every count that it belongs to.
-- p50 and p90 by Kaplan-Meier as METRICS.md has it (a slack of 1e-9, ends before censorings at ties): by challenge over what is graded or
-- waits; by period over what was first seen graded in it, so nothing is censored there. Nearly every wait is a time of its own, so waits are
-- not counted but listed, each as one number that sorts by time, then ends before censorings, then rows that take others back before those.
WITH
    toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}) AS as_of_ms,
    -- Grouped by numbers only, which takes the engine half the time that texts take: the kind by its place below, a period, age or state
    -- as a number, a challenge as its hash.
    entries AS
    (
        SELECT
            kind_number, number, challenge_key,
            if(is_wait, 0., value) AS counted_value,
            any(challenge_id) AS challenge,
            sum(sign) AS m,
            sumIf(sign, is_censored) AS censored_m,
            groupArrayIf(toInt64(value) * 4 + 2 * is_censored + (sign > 0), is_wait) AS codes
        FROM
        (
        SELECT
            entry.1 AS kind_number, entry.2 AS number, entry.3 AS value, entry.4 AS is_censored,
            kind_number IN (1, 4) AS is_wait,
            if(kind_number <= 3, challenge_hash, 0) AS challenge_key,
            challenge_id, sign
        FROM
        (
            SELECT
                bitTest(facts, 32) AS is_waiting,
                bitTest(facts, 3) AS is_graded,
                -- The time of handing in is unknown, or the first delivery already had the grade.
                NOT (bitTest(facts, 14) OR bitTest(facts, 17)) AS is_measured,
                challenge_id,
                cityHash64(challenge_id) AS challenge_hash,
                toUnixTimestamp64Milli(first_submitted_at) AS submitted_ms,
                as_of_ms - submitted_ms AS age_ms,
                toFloat64(if(is_graded, toUnixTimestamp64Milli(first_graded_at) - submitted_ms, age_ms)) AS wait_ms,
                intDiv(age_ms, 86400000) AS days,
                toUInt16(multiIf(
                    {period:String} = 'day', toDate(first_graded_at, {time_zone:String}),
                    {period:String} = 'week', toMonday(first_graded_at, {time_zone:String}),
                    toStartOfMonth(first_graded_at, {time_zone:String})
                )) AS graded_period,
                sign,
                arrayJoin(arrayFilter(each -> each.1 != 0, [
                    (1 * is_measured, 0::UInt16, wait_ms, toUInt8(NOT is_graded)),
                    (2 * (is_graded AND bitTest(facts, 13)), 0, grade, 0),
                    (3 * is_waiting, 0, toFloat64(age_ms), 1),
                    (4 * (is_measured AND is_graded), graded_period, wait_ms, 0),
                    (5 * is_waiting, toUInt16(multiIf(days < 1, 1, days < 3, 2, days < 7, 3, days < 14, 4, days < 30, 5, 6)), toFloat64(age_ms), 1),
                    (6 * is_waiting, toUInt16(multiIf(
                        bitTest(facts, 42), 1,
                        NOT bitTest(facts, 29), 2,
                        toInt32(toDate(reviewers_due_date, {due_zone:String})) - toInt32(toDate({as_of:DateTime64(3, 'UTC')}, {due_zone:String})) <= {due_soon_days:UInt16}, 3,
                        4
                    )), toFloat64(age_ms), 1)
                ])) AS entry
            FROM
            (
                SELECT facts, challenge_id, first_submitted_at, first_graded_at, reviewers_due_date, grade, sign
                -- include scope-at
                    AND (bitTest(facts, 3) OR bitTest(facts, 32))
            )
        )
        )
        GROUP BY kind_number, number, challenge_key, counted_value
        HAVING m != 0
    )
SELECT
    ['challenge', 'grade', 'waiting', 'period', 'age', 'review'][kind_number] AS kind,
    multiIf(
        kind_number <= 3, toString(challenge_id),
        kind_number = 4, toString(toDate(number)),
        kind_number = 5, ['0', '1-2', '3-6', '7-13', '14-29', '30+'][number],
        ['overdue', 'none', 'soon', 'later'][number]
    ) AS id,
    n, censored, highest, median, p50_ms, p90_ms
FROM
(
    SELECT
        kind_number,
        number,
        any(challenge) AS challenge_id,
        sum(m) AS n,
        sum(censored_m) AS censored,
        max(counted_value) AS highest,
        (quantileExactWeighted(0.5)(counted_value, toUInt64(m)) - quantileExactWeighted(0.5)(-counted_value, toUInt64(m))) / 2 AS median,
        -- Not any(codes), which refuses a list of more than a million.
        arraySort(groupArrayArray(codes)) AS waits,
        arrayMap(code -> if(bitTest(code, 0), 1, -1), waits) AS signs,
        -- A row and the one that takes it back cancel out: their two factors are inverse. Within a tie survival is lowest at the end.
        arrayCumSum(arrayMap((code, each, upto) -> if(bitTest(code, 1), 0., log(1 - each / (n - upto + each))), waits, signs, arrayCumSum(signs))) AS survival,
        arrayFirstIndex(each -> each <= log(0.5 + 1e-9), survival) AS p50_at,
        arrayFirstIndex(each -> each <= log(0.1 + 1e-9), survival) AS p90_at,
        if(p50_at = 0, NULL, toFloat64(bitShiftRight(waits[p50_at], 2))) AS p50_ms,
        if(p90_at = 0, NULL, toFloat64(bitShiftRight(waits[p90_at], 2))) AS p90_ms
    FROM entries
    GROUP BY kind_number, number, challenge_key
)
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
