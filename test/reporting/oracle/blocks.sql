-- Everything a page or /api/metrics is drawn from, as one statement and one row, so that all blocks share one snapshot.
-- Level one of two: the engine counts assignments by packed facts; level two is schemas/metrics/metrics.ts.
-- The scope is mentioned twice, for counts by some key (GROUPING SETS) and for what happened at some moment: every further
-- mention would cost 20 ms of planning, however little data there is.
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    toUnixTimestamp64Milli(as_of) AS as_of_ms,
    {blocks:Array(String)} AS wanted,
    scope AS
    (
        SELECT *
        FROM
        (
-- scope-at.sql
        )
        -- People under the chosen managers; outside of the view, where it costs the planner least.
        WHERE {under:String} = '' OR user_id IN (SELECT arrayJoin(JSONExtract(materialize({under:String}), 'Array(String)')))
    ),
    -- Counts by one key at a time. No day: 65535, a day after every time that can be read.
    counted AS
    (
        SELECT
            multiIf(
                grouping(all_bits) = 0, 'facts',
                grouping(challenge) = 0, 'challenges',
                grouping(person) = 0, 'people',
                grouping(team_member) = 0, 'teams',
                grouping(created_day) = 0, if(is_completed, 'assigned_completed', 'assigned_other'),
                grouping(completion_day) = 0, 'completed',
                grouping(graded_day) = 0, 'graded',
                grouping(due_date_day) = 0, 'due_days',
                grouping(age_ms) = 0, 'ages',
                'grades'
            ) AS kind,
            multiIf(grouping(challenge) = 0, challenge, grouping(team_member) = 0, team_member, '') AS id,
            multiIf(grouping(created_day) = 0, created_day, grouping(completion_day) = 0, completion_day, grouping(graded_day) = 0, graded_day, due_date_day) AS day,
            if(grouping(age_ms) = 0, toFloat64(age_ms), known_grade) AS value,
            multiIf(grouping(all_bits) = 0, all_bits, grouping(person) = 0, toUInt64(sumIf(sign, NOT is_completed) > 0), ranking) AS bits,
            -- Of people, people are counted.
            if(grouping(person) = 0, sum(sign) > 0 AND person != '', sum(sign)) AS n
        FROM
        (
            SELECT
                facts AS all_bits,
                bitAnd(facts, {ranking_facts:UInt64}) AS ranking,
                if(has(wanted, 'challenges'), challenge_id, '') AS challenge,
                user_id AS person,
                if(has(wanted, 'teams'), user_id, '') AS team_member,
                bitTest(state, 0) AS is_completed,
                created_day,
                if(completed_at <= as_of, completed_day, 65535) AS completion_day,
                if(bitTest(state, 3), toUInt16(toDate(first_graded_at, {time_zone:String})), 65535) AS graded_day,
                if(has(wanted, 'due_days'), due_day, 65535) AS due_date_day,
                if(class = 1, as_of_ms - toUnixTimestamp64Milli(first_submitted_at), -1) AS age_ms,
                if(bitTest(state, 3) AND bitTest(state, 13), grade, inf) AS known_grade,
                sign
            FROM scope
        )
        GROUP BY GROUPING SETS (
            (all_bits), (challenge, ranking), (person), (team_member, ranking), (created_day, is_completed), (completion_day), (graded_day),
            (due_date_day, ranking), (age_ms), (known_grade)
        )
        HAVING n != 0
    ),
    -- Of each assignment: the spans in which it was overdue, and how long things took.
    -- Overdue is what remains of a span in which the learner had to act after its late from, the first instant of the day
    -- after the due day. A wait is its length in ms and whether it still goes on in one number, in an order in which one sorted
    -- pass is enough: by length, ends before censorings. -1 = not to be measured.
    timed AS
    (
        SELECT
            arrayFilter(span -> span.1 < span.2 AND span.1 <= as_of_ms, arrayMap(span -> (
                greatest(span.1, if({due_end:String} = 'instant', span.3 + 1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(span.3), {due_zone:String}) + 1, 3, {due_zone:String})))),
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
            ) AS to_grade,
            sign
        FROM scope
    ),
    -- All that happened, as one number each: the kind from bit 56, below it a wait, or from bit 22 a day. So that everything
    -- above bit 22 is what to count by: kind and day, or kind and a piece of 35 minutes whose waits are sorted apart, in parallel.
    -- An overdue span adds one from the day it began and takes it away from the day it ended; where one began exactly when
    -- the one before ended, that is one turn, not two.
    moments AS
    (
        SELECT
            bitShiftRight(moment, 22) AS bucket,
            sum(sign) AS n,
            -- A wait and whether it was taken back (0) or given (1), so that of equal ones those taken back come first.
            arraySort(groupArrayIf(moment * 2 + (sign > 0), moment < bitShiftLeft(2::Int64, 56))) AS entries,
            -- Each one that was taken back takes the next equal one away: the sum of what is still to take, never below 0. No
            -- look-up: when thousands were assigned in one second and then change, a piece holds thousands of equal ones.
            arrayMap(entry -> bitShiftRight(entry, 1), if(countIf(sign < 0) = 0, entries, arrayFilter(
                (entry, to_take) -> bitTest(entry, 0) AND to_take = 0,
                entries,
                arrayShiftRight(arrayCumSumNonNegative(arrayMap(entry -> toInt64(1) - 2 * bitTest(entry, 0), entries)), 1, toInt64(0))
            ))) AS sorted
        FROM timed
        ARRAY JOIN arrayConcat(
            [to_complete, if(to_grade < 0, -1, to_grade + bitShiftLeft(1::Int64, 56))],
            arrayMap(span -> bitShiftLeft(2::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})), 22), overdue),
            arrayMap(span -> if(span.2 > as_of_ms, -1, bitShiftLeft(3::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.2), {time_zone:String})), 22)), overdue),
            arrayMap((span, before) -> if(before.2 = span.1, -1, bitShiftLeft(4::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})), 22)), overdue, arrayShiftRight(overdue, 1, (0::Int64, 0::Int64)))
        ) AS moment
        WHERE moment >= 0
        GROUP BY bucket
    ),
    -- Kaplan-Meier over the pieces, exactly.
    risks AS
    (
        SELECT
            bitShiftRight(bucket, 34) AS kind_number,
            bucket,
            n,
            sorted,
            sum(n) OVER (PARTITION BY kind_number ORDER BY bucket DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS at_risk
        FROM moments
    ),
    survival AS
    (
        SELECT
            kind_number,
            bucket,
            n,
            sorted,
            -- Before the nth of a piece at_risk - nth + 1 are still waiting. The very last one leaves log(0) = -inf.
            arrayMap((wait, nth) -> if(bitTest(wait, 0), 0, log((at_risk - nth) / (at_risk - nth + 1))), sorted, arrayEnumerate(sorted)) AS steps,
            arrayCount(wait -> NOT bitTest(wait, 0), sorted) AS ended,
            sum(arraySum(steps)) OVER (PARTITION BY kind_number ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS log_survival,
            sum(arraySum(steps)) OVER (PARTITION BY kind_number ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS log_survival_before
        FROM risks
    )
SELECT
    groupArrayIf((bits, n), kind = 'facts') AS facts,
    (sumIf(n, kind = 'people'), sumIf(n, kind = 'people' AND bits = 0)) AS people,
    groupArrayIf((id, bits, n), kind = 'challenges') AS challenges,
    -- By set of teams; someone in two teams counts in both.
    groupArrayIf((teams, bits, n), kind = 'teams') AS team_sets,
    groupArrayIf((kind, toDate(day), n), kind IN ('assigned_completed', 'assigned_other', 'completed', 'graded', 'overdue_began', 'overdue_turned', 'overdue_ended') AND day != 65535) AS days,
    groupArrayIf((toDate(day), bits, n), kind = 'due_days' AND day != 65535) AS due_days,
    -- The lower median of the negated is the upper one negated.
    (
        sumIf(n, kind = 'ages' AND value >= 0),
        quantileExactWeightedIf(0.5)(value, toUInt64(n), kind = 'ages' AND value >= 0),
        -quantileExactWeightedIf(0.5)(-value, toUInt64(n), kind = 'ages' AND value >= 0),
        maxIf(value, kind = 'ages')
    ) AS backlog,
    (
        sumIf(n, kind = 'grades' AND value != inf),
        sumIf(value * n, kind = 'grades' AND value != inf),
        quantileExactWeightedIf(0.5)(value, toUInt64(n), kind = 'grades' AND value != inf),
        -quantileExactWeightedIf(0.5)(-value, toUInt64(n), kind = 'grades' AND value != inf),
        -- Ten bins; values outside 0-100 in the end bins.
        sumMapIf(map(toUInt8(least(greatest(floor(value / 10), 0), 9)), n), kind = 'grades' AND value != inf)
    ) AS grades,
    -- p50, p90, ended, still going on.
    (minIf(p50, kind = 'time_to_complete'), minIf(p90, kind = 'time_to_complete'), sumIf(ended, kind = 'time_to_complete'), sumIf(n - ended, kind = 'time_to_complete')) AS time_to_complete,
    (minIf(p50, kind = 'grading_turnaround'), minIf(p90, kind = 'grading_turnaround'), sumIf(ended, kind = 'grading_turnaround'), sumIf(n - ended, kind = 'grading_turnaround')) AS grading_turnaround,
    (
        SELECT groupArray((kind, id, name))
        FROM
        (
            SELECT kind, id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE has(wanted, 'names') GROUP BY kind, id
            UNION ALL
            -- Values of attributes that somebody has or had.
            SELECT DISTINCT concat('attribute.', attribute), held, held
            FROM rollcall.user_versions FINAL
            ARRAY JOIN mapKeys(attributes) AS attribute, mapValues(attributes) AS held
            WHERE has(wanted, 'names') AND held != ''
        )
    ) AS names,
    (SELECT count() > 0 FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample,
    (
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.event_rows WHERE has(wanted, 'received')),
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.failed_event_rows WHERE has(wanted, 'received')),
        (SELECT uniqExact(event_id) FROM rollcall.failed_event_rows WHERE has(wanted, 'received') AND received_at >= {today:DateTime64(3, 'UTC')}),
        (SELECT uniqExact(event_id) FROM rollcall.event_rows WHERE has(wanted, 'received') AND received_at >= {today:DateTime64(3, 'UTC')} AND rank = 0 AND event_type != 'userDeleted')
    ) AS received
FROM
(
    SELECT kind, if(kind = 'teams', '', id) AS id, if(kind = 'teams', people.teams, []) AS teams, day, value, bits, sum(n) AS n, NULL AS p50, NULL AS p90, 0 AS ended
    FROM counted
    LEFT JOIN
    (
        SELECT user_id, teams
        FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
        WHERE has(wanted, 'teams')
    ) AS people ON people.user_id = counted.id
    GROUP BY kind, id, teams, day, value, bits
    UNION ALL
    -- Where survival falls to 0.5 and 0.1, with a slack of 1e-9.
    SELECT
        ['time_to_complete', 'grading_turnaround', 'overdue_began', 'overdue_ended', 'overdue_turned'][kind_number + 1] AS kind,
        '' AS id,
        [] AS teams,
        toUInt16(bitAnd(bucket, 65535)) AS day,
        0 AS value,
        0 AS bits,
        n,
        if(log_survival_before > log(0.5 + 1e-9) AND log_survival <= log(0.5 + 1e-9), bitShiftRight(bitAnd(sorted[arrayFirstIndex(upto -> log_survival_before + upto <= log(0.5 + 1e-9), arrayCumSum(steps))], bitShiftLeft(1::Int64, 56) - 1), 1), NULL) AS p50,
        if(log_survival_before > log(0.1 + 1e-9) AND log_survival <= log(0.1 + 1e-9), bitShiftRight(bitAnd(sorted[arrayFirstIndex(upto -> log_survival_before + upto <= log(0.1 + 1e-9), arrayCumSum(steps))], bitShiftLeft(1::Int64, 56) - 1), 1), NULL) AS p90,
        ended
    FROM survival
)
-- The two optimisations cost a quarter of the planning and find nothing here.
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
