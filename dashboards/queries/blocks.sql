-- Everything a page or /api/metrics is drawn from, as one statement and one row, so that all blocks share one snapshot.
-- Level one of two: the engine counts assignments by packed facts; level two is schemas/metrics/registry.ts.
-- The scope is read once for everything that is a count by some key (GROUPING SETS), and once more each for spans, waits and
-- teams: every further mention of it costs 20 ms of planning, however little data there is.
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    toUnixTimestamp64Milli(as_of) AS as_of_ms,
    {blocks:Array(String)} AS wanted,
    -- The position is read before the data, as a scalar: the other way round it could claim what the data do not hold yet.
    (SELECT if(count() = 0, NULL, toUnixTimestamp64Milli(min(through))) FROM (SELECT max(complete_through) AS through FROM rollcall.log_positions GROUP BY log_partition)) AS complete_through,
    scope AS
    (
        SELECT *
        FROM rollcall.scope_at(
            as_of = {as_of:DateTime64(3, 'UTC')},
            now = {now:DateTime64(3, 'UTC')},
            time_zone = {time_zone:String},
            due_zone = {due_zone:String},
            due_end = {due_end:String},
            due_soon_days = {due_soon_days:UInt16},
            include_leavers = {include_leavers:Bool},
            challenge = {challenge:Array(String)},
            team = {team:Array(String)},
            user = {user:Array(String)},
            fact_mask = {fact_mask:UInt64},
            status_mask = {status_mask:UInt64},
            aging_mask = {aging_mask:UInt64},
            assigned_from = {assigned_from:UInt16},
            assigned_to = {assigned_to:UInt16},
            completed_from = {completed_from:UInt16},
            completed_to = {completed_to:UInt16},
            due_from = {due_from:UInt16},
            due_to = {due_to:UInt16}
        )
    ),
    -- No day: 65535, a day after every time that can be read.
    counted AS
    (
        SELECT
            multiIf(
                grouping(all_bits) = 0, 'facts',
                grouping(challenge) = 0, 'challenges',
                grouping(person) = 0, 'people',
                grouping(created_day) = 0, if(is_completed, 'assigned_completed', 'assigned_other'),
                grouping(completion_day) = 0, 'completed',
                grouping(graded_day) = 0, 'graded',
                grouping(due_date_day) = 0, 'due_days',
                grouping(age_ms) = 0, 'ages',
                'grades'
            ) AS kind,
            multiIf(grouping(challenge) = 0, challenge, grouping(person) = 0, person, '') AS id,
            multiIf(grouping(created_day) = 0, created_day, grouping(completion_day) = 0, completion_day, grouping(graded_day) = 0, graded_day, due_date_day) AS day,
            if(grouping(age_ms) = 0, toFloat64(age_ms), known_grade) AS value,
            multiIf(grouping(all_bits) = 0, all_bits, grouping(person) = 0, toUInt64(sumIf(sign, NOT is_completed) > 0), ranking) AS bits,
            sum(sign) AS n
        FROM
        (
            SELECT
                facts AS all_bits,
                bitAnd(facts, {ranking_facts:UInt64}) AS ranking,
                if(has(wanted, 'challenges'), challenge_id, '') AS challenge,
                user_id AS person,
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
        GROUP BY GROUPING SETS ((all_bits), (challenge, ranking), (person), (created_day, is_completed), (completion_day), (graded_day), (due_date_day, ranking), (age_ms), (known_grade))
        HAVING n != 0
    ),
    -- The spans in which the learner had to act, cut down to the part that was overdue: late from = the first instant of the
    -- day after the due day. Each adds one from the day it began and takes it away from the day it ended. Where one began
    -- exactly when the one before ended overdue, that is one turn, not two.
    spans AS
    (
        SELECT
            moment.1 AS kind,
            '' AS id,
            toUInt16(toDate(fromUnixTimestamp64Milli(moment.2), {time_zone:String})) AS day,
            0::Float64 AS value,
            0::UInt64 AS bits,
            sum(sign) AS n
        FROM
        (
            SELECT
                greatest(span.1, late_from) AS began_ms,
                span.2 AS ended_ms,
                previous_ended_ms = began_ms AND previous_late_from < began_ms AS touches,
                sign
            FROM
            (
                SELECT
                    span,
                    if(position = 1, 0, due_spans[position - 1].2) AS previous_ended_ms,
                    if({due_end:String} = 'instant', span.3 + 1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(span.3), {due_zone:String}) + 1, 3, {due_zone:String}))) AS late_from,
                    if({due_end:String} = 'instant', due_spans[position - 1].3 + 1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(due_spans[position - 1].3), {due_zone:String}) + 1, 3, {due_zone:String}))) AS previous_late_from,
                    sign
                FROM scope
                ARRAY JOIN due_spans AS span, arrayEnumerate(due_spans) AS position
                WHERE notEmpty(due_spans)
            )
            WHERE began_ms < ended_ms AND began_ms <= as_of_ms
        )
        ARRAY JOIN [
            ('overdue_began', began_ms),
            ('overdue_turned', if(touches, 0, began_ms)),
            ('overdue_ended', if(ended_ms <= as_of_ms, ended_ms, 0))
        ] AS moment
        WHERE moment.2 > 0
        GROUP BY kind, day
    ),
    -- Kaplan-Meier, exactly. A wait is length, whether it still goes on and its sign in one number, in an order in which
    -- one sorted pass is enough: by length, ends before censorings, a row that takes back before its twin.
    -- First by pieces of 35 minutes (sorted apart, in parallel), then over the pieces.
    waits AS
    (
        SELECT which, piece, arraySort(groupArray(wait)) AS sorted, sum(sign) AS n
        FROM
        (
            SELECT
                each.1 AS which,
                bitShiftRight(each.2, 23) AS piece,
                each.2 + (sign > 0) AS wait,
                sign
            FROM scope
            ARRAY JOIN [
                (
                    'time_to_complete',
                    multiIf(
                        bitTest(state, 12), -1,
                        NOT bitTest(state, 0), (as_of_ms - toUnixTimestamp64Milli(created_at)) * 4 + 2,
                        toUnixTimestamp64Milli(completed_at) = 0, -1,
                        greatest(0, toUnixTimestamp64Milli(completed_at) - toUnixTimestamp64Milli(created_at)) * 4
                    )
                ),
                (
                    'grading_turnaround',
                    multiIf(
                        bitTest(state, 14) OR bitTest(state, 17), -1,
                        class = 1, (as_of_ms - toUnixTimestamp64Milli(first_submitted_at)) * 4 + 2,
                        bitTest(state, 3), (toUnixTimestamp64Milli(first_graded_at) - toUnixTimestamp64Milli(first_submitted_at)) * 4,
                        -1
                    )
                )
            ] AS each
            WHERE each.2 >= 0
        )
        GROUP BY which, piece
    ),
    risks AS
    (
        SELECT
            which,
            piece,
            sorted,
            n,
            arrayMap(wait -> if(bitTest(wait, 0), 1, -1), sorted) AS signs,
            -- Still waiting just before each of them.
            arrayMap((upto, sign) -> at_risk - upto + sign, arrayCumSum(signs), signs) AS risks,
            sum(n) OVER (PARTITION BY which ORDER BY piece DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS at_risk
        FROM waits
    ),
    survival AS
    (
        SELECT
            which,
            sorted,
            -- The last one leaves log(0) = -inf, and nothing after it counts.
            arrayMap((wait, sign, risk) -> if(bitTest(wait, 1) OR risk <= 0, 0, log((risk - sign) / risk)), sorted, signs, risks) AS steps,
            sum(arraySum((wait, sign) -> if(bitTest(wait, 1), 0, sign), sorted, signs)) OVER (PARTITION BY which) AS ended,
            sum(n) OVER (PARTITION BY which) AS total,
            sum(arraySum(steps)) OVER (PARTITION BY which ORDER BY piece ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS log_survival,
            sum(arraySum(steps)) OVER (PARTITION BY which ORDER BY piece ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS log_survival_before
        FROM risks
    ),
    -- Per kind of wait: all, ended ones, and where survival falls to 0.5 and 0.1, with a slack of 1e-9.
    durations AS
    (
        SELECT
            which,
            any(total) AS measured,
            any(ended) AS ended_ones,
            min(if(log_survival_before > log(0.5 + 1e-9) AND log_survival <= log(0.5 + 1e-9), bitShiftRight(sorted[arrayFirstIndex(upto -> log_survival_before + upto <= log(0.5 + 1e-9), arrayCumSum(steps))], 2), NULL)) AS p50,
            min(if(log_survival_before > log(0.1 + 1e-9) AND log_survival <= log(0.1 + 1e-9), bitShiftRight(sorted[arrayFirstIndex(upto -> log_survival_before + upto <= log(0.1 + 1e-9), arrayCumSum(steps))], 2), NULL)) AS p90
        FROM survival
        GROUP BY which
    ),
    teams AS
    (
        -- By person before joining people: far fewer rows to join. Someone in two teams counts in both lines.
        SELECT 'teams' AS kind, arrayJoin(if(empty(people.teams), [''], people.teams)) AS id, 0::UInt16 AS day, 0::Float64 AS value, ranking AS bits, sum(counted.n) AS n
        FROM
        (
            SELECT user_id, bitAnd(facts, {ranking_facts:UInt64}) AS ranking, sum(sign) AS n
            FROM scope
            WHERE has(wanted, 'teams')
            GROUP BY user_id, ranking
            HAVING n != 0
        ) AS counted
        LEFT JOIN
        (
            SELECT user_id, teams
            FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
            WHERE has(wanted, 'teams')
        ) AS people ON people.user_id = counted.user_id
        GROUP BY id, bits
    )
SELECT
    groupArrayIf((bits, n), kind = 'facts') AS facts,
    (countIf(kind = 'people' AND id != ''), countIf(kind = 'people' AND id != '' AND bits = 0)) AS people,
    groupArrayIf((id, bits, n), kind = 'challenges') AS challenges,
    groupArrayIf((id, bits, n), kind = 'teams') AS teams,
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
    (SELECT groupArray((which, p50, p90, ended_ones, measured - ended_ones)) FROM durations) AS durations,
    (SELECT groupArray((kind, id, name)) FROM (SELECT kind, id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE has(wanted, 'names') GROUP BY kind, id)) AS names,
    complete_through,
    (SELECT count() > 0 FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample,
    (
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.event_rows WHERE has(wanted, 'received')),
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.failed_event_rows WHERE has(wanted, 'received')),
        (SELECT uniqExact(event_id) FROM rollcall.failed_event_rows WHERE has(wanted, 'received') AND received_at >= {today:DateTime64(3, 'UTC')}),
        (SELECT uniqExact(event_id) FROM rollcall.event_rows WHERE has(wanted, 'received') AND received_at >= {today:DateTime64(3, 'UTC')} AND rank = 0 AND event_type != 'userDeleted')
    ) AS received
FROM
(
    SELECT kind, id, day, value, bits, n FROM counted
    UNION ALL
    SELECT kind, id, day, value, bits, n FROM spans
    UNION ALL
    SELECT kind, id, day, value, bits, n FROM teams
)
-- The two optimisations cost a quarter of the planning and find nothing here.
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
