-- Holds no names of people.
-- What the Grading page counts, from one scan: how long grades take by challenge and by the period of the first grade, how long what
-- awaits one has waited, and by when reviewers are to give it. Each assignment is an entry in every count that it belongs to.
-- p50 and p90 by Kaplan-Meier as METRICS.md has it (a slack of 1e-9, ends before censorings at ties): by challenge over what is graded or
-- waits; by period over what was first seen graded in it, so nothing is censored there.
WITH
    toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}) AS as_of_ms,
    entries AS
    (
        SELECT entry.1 AS kind, entry.2 AS id, entry.3 AS value, entry.4 AS is_censored, sum(sign) AS m
        FROM
        (
            SELECT
                bitTest(facts, 32) AS is_waiting,
                bitTest(facts, 3) AS is_graded,
                -- The time of handing in is unknown, or the first delivery already had the grade.
                NOT (bitTest(facts, 14) OR bitTest(facts, 17)) AS is_measured,
                toString(challenge_id) AS challenge,
                toUnixTimestamp64Milli(first_submitted_at) AS submitted_ms,
                as_of_ms - submitted_ms AS age_ms,
                toFloat64(if(is_graded, toUnixTimestamp64Milli(first_graded_at) - submitted_ms, age_ms)) AS wait_ms,
                intDiv(age_ms, 86400000) AS days,
                multiIf(
                    {period:String} = 'day', toDate(first_graded_at, {time_zone:String}),
                    {period:String} = 'week', toMonday(first_graded_at, {time_zone:String}),
                    toStartOfMonth(first_graded_at, {time_zone:String})
                ) AS graded_period,
                sign,
                arrayJoin(arrayFilter(each -> each.1 != '', [
                    if(is_measured, ('challenge', challenge, wait_ms, NOT is_graded), ('', '', 0., false)),
                    if(is_measured AND is_graded, ('period', toString(graded_period), wait_ms, false), ('', '', 0., false)),
                    if(is_graded AND bitTest(facts, 13), ('grade', challenge, grade, false), ('', '', 0., false)),
                    if(is_waiting, ('waiting', challenge, toFloat64(age_ms), true), ('', '', 0., false)),
                    if(is_waiting, ('age', multiIf(days < 1, '0', days < 3, '1-2', days < 7, '3-6', days < 14, '7-13', days < 30, '14-29', '30+'), toFloat64(age_ms), true), ('', '', 0., false)),
                    if(is_waiting, ('review', multiIf(
                        bitTest(facts, 42), 'overdue',
                        NOT bitTest(facts, 29), 'none',
                        toInt32(toDate(reviewers_due_date, {due_zone:String})) - toInt32(toDate({as_of:DateTime64(3, 'UTC')}, {due_zone:String})) <= {due_soon_days:UInt16}, 'soon',
                        'later'
                    ), toFloat64(age_ms), true), ('', '', 0., false))
                ])) AS entry
            FROM
            (
                SELECT facts, challenge_id, first_submitted_at, first_graded_at, reviewers_due_date, grade, sign
                -- include scope-at
                    AND (bitTest(facts, 3) OR bitTest(facts, 32))
            )
        )
        GROUP BY kind, id, value, is_censored
        HAVING m != 0
    )
SELECT kind, id, n, censored, highest, median, p50_ms, p90_ms
FROM
(
    SELECT
        kind,
        id,
        sum(m) AS n,
        sumIf(m, is_censored) AS censored,
        max(value) AS highest,
        (quantileExactWeighted(0.5)(value, toUInt64(m)) - quantileExactWeighted(0.5)(-value, toUInt64(m))) / 2 AS median,
        if(kind IN ('challenge', 'period'), arraySort(groupArray((value, is_censored, m))), []) AS waits,
        arrayCumSum(arrayMap((wait, upto) -> if(wait.2, 0., log(1 - wait.3 / (n - upto + wait.3))), waits, arrayCumSum(arrayMap(wait -> wait.3, waits)))) AS survival,
        arrayFirstIndex(each -> each <= log(0.5 + 1e-9), survival) AS p50_at,
        arrayFirstIndex(each -> each <= log(0.1 + 1e-9), survival) AS p90_at,
        if(p50_at = 0, NULL, tupleElement(waits[p50_at], 1)) AS p50_ms,
        if(p90_at = 0, NULL, tupleElement(waits[p90_at], 1)) AS p90_ms
    FROM entries
    GROUP BY kind, id
)
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
