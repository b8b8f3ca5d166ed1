-- Everything a page or /api/metrics is drawn from, as one statement, so that all blocks share one snapshot. Each block is
-- one row: its name and its content as JSON text. A block that is not asked for reads nothing.
-- Level one of two: the engine counts assignments by packed facts; level two is schemas/metrics/registry.ts.
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    {blocks:Array(String)} AS wanted,
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
            status = {status:Array(String)},
            fact = {fact:Array(String)},
            aging = {aging:Array(String)},
            assigned_from = {assigned_from:String},
            assigned_to = {assigned_to:String},
            completed_from = {completed_from:String},
            completed_to = {completed_to:String},
            due_from = {due_from:String},
            due_to = {due_to:String}
        )
    ),
    people AS
    (
        SELECT user_id, teams
        FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
    ),
    -- What a ranking line needs to know of an assignment, see rankingFacts in schemas/metrics/fact-bits.ts.
    {ranking_facts:UInt64} AS ranking_facts,
    by_user AS
    (
        -- By user before joining people: far fewer rows to join.
        SELECT user_id, bitAnd(facts, ranking_facts) AS facts, sum(sign) AS n
        FROM scope
        WHERE has(wanted, 'teams')
        GROUP BY user_id, facts
        HAVING n != 0
    ),
    -- Times to measure: (which, length in ms, still going on). Times without a known start were left out before.
    waits AS
    (
        SELECT
            'time_to_complete' AS which,
            if(bitTest(facts, 0), greatest(0, toUnixTimestamp64Milli(completed_at) - toUnixTimestamp64Milli(created_at)), toUnixTimestamp64Milli(as_of) - toUnixTimestamp64Milli(created_at)) AS length_ms,
            NOT bitTest(facts, 0) AS censored,
            sum(sign) AS n
        FROM scope
        WHERE has(wanted, 'durations') AND NOT bitTest(state, 12) AND (class != 2 OR NOT bitTest(state, 0) OR toUnixTimestamp64Milli(completed_at) != 0)
        GROUP BY length_ms, censored
        HAVING n != 0
        UNION ALL
        SELECT
            'grading_turnaround' AS which,
            if(class = 1, toUnixTimestamp64Milli(as_of), toUnixTimestamp64Milli(first_graded_at)) - toUnixTimestamp64Milli(first_submitted_at) AS length_ms,
            class = 1 AS censored,
            sum(sign) AS n
        FROM scope
        WHERE has(wanted, 'durations') AND (class = 1 OR (class = 2 AND bitTest(state, 3))) AND NOT bitTest(state, 14) AND NOT bitTest(state, 17)
        GROUP BY length_ms, censored
        HAVING n != 0
    ),
    -- Kaplan-Meier by cumulative sums; ends before censorings at ties. A logarithm of 0 is -inf, which exp() makes 0 again.
    survival AS
    (
        SELECT
            which,
            length_ms,
            censored,
            n,
            sum(n) OVER (PARTITION BY which ORDER BY length_ms DESC, censored DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS at_risk
        FROM waits
    ),
    steps AS
    (
        SELECT
            which,
            length_ms,
            censored,
            n,
            sum(if(censored, 0, log(1 - n / at_risk))) OVER (PARTITION BY which ORDER BY length_ms, censored ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS log_survival
        FROM survival
    ),
    ages AS
    (
        SELECT age_ms, n, sum(n) OVER (ORDER BY age_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS upto, sum(n) OVER () AS total
        FROM
        (
            SELECT toUnixTimestamp64Milli(as_of) - toUnixTimestamp64Milli(first_submitted_at) AS age_ms, sum(sign) AS n
            FROM scope
            WHERE has(wanted, 'backlog') AND class = 1
            GROUP BY age_ms
            HAVING n != 0
        )
    ),
    grades AS
    (
        SELECT grade, n, sum(n) OVER (ORDER BY grade ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS upto, sum(n) OVER () AS total
        FROM
        (
            SELECT grade, sum(sign) AS n
            FROM scope
            WHERE has(wanted, 'grades') AND class = 2 AND bitTest(state, 3) AND bitTest(state, 13)
            GROUP BY grade
            HAVING n != 0
        )
    ),
    -- The spans in which the learner had to act, cut down to the part that was overdue. `touches` = the one before ended
    -- exactly here and was overdue too: that is one turn, not two. Late from = first instant of the day after the due day.
    overdue_spans AS
    (
        SELECT
            greatest(span.1, if({due_end:String} = 'instant', span.3 + 1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(span.3), {due_zone:String}) + 1, 3, {due_zone:String})))) AS began_ms,
            span.2 AS ended_ms,
            before.2 = began_ms AND greatest(before.1, if({due_end:String} = 'instant', before.3 + 1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(before.3), {due_zone:String}) + 1, 3, {due_zone:String})))) < before.2 AS touches,
            sign
        FROM
        (
            SELECT due_spans, arrayPushFront(arrayPopBack(due_spans), (0::Int64, 0::Int64, 0::Int64)) AS earlier_spans, sign
            FROM scope
            WHERE has(wanted, 'days') AND notEmpty(due_spans)
        )
        ARRAY JOIN due_spans AS span, earlier_spans AS before
        WHERE began_ms < ended_ms AND began_ms <= toUnixTimestamp64Milli(as_of)
    )
SELECT block, content
FROM
(
    SELECT 'facts' AS block, toJSONString(groupArray((facts, n))) AS content
    FROM (SELECT facts, sum(sign) AS n FROM scope WHERE has(wanted, 'facts') GROUP BY facts HAVING n != 0)

    UNION ALL
    SELECT 'people', toJSONString((count(), countIf(is_complete)))
    FROM
    (
        SELECT sumIf(sign, NOT bitTest(state, 0)) = 0 AS is_complete
        FROM scope
        WHERE has(wanted, 'people') AND user_id != ''
        GROUP BY user_id
        HAVING sum(sign) > 0
    )

    UNION ALL
    SELECT 'durations', toJSONString(groupArray((which, p50, p90, ended, going_on)))
    FROM
    (
        SELECT
            which,
            minIf(length_ms, exp(log_survival) <= 0.5 + 1e-9) AS p50_or_0,
            minIf(length_ms, exp(log_survival) <= 0.1 + 1e-9) AS p90_or_0,
            if(countIf(exp(log_survival) <= 0.5 + 1e-9) = 0, NULL, p50_or_0) AS p50,
            if(countIf(exp(log_survival) <= 0.1 + 1e-9) = 0, NULL, p90_or_0) AS p90,
            sumIf(n, NOT censored) AS ended,
            sumIf(n, censored) AS going_on
        FROM steps
        GROUP BY which
    )

    UNION ALL
    SELECT 'backlog', toJSONString((max(total), minIf(age_ms, upto >= intDiv(total + 1, 2)), minIf(age_ms, upto > intDiv(total, 2)), max(age_ms)))
    FROM ages

    UNION ALL
    SELECT 'grades', toJSONString((
        max(total), sum(grade * n), minIf(grade, upto >= intDiv(total + 1, 2)), minIf(grade, upto > intDiv(total, 2)),
        -- Ten bins; values outside 0-100 in the end bins.
        sumMap(map(toUInt8(least(greatest(floor(grade / 10), 0), 9)), n))
    ))
    FROM grades

    UNION ALL
    SELECT 'days', toJSONString(groupArray((kind, day, n)))
    FROM
    (
        SELECT kind, day, sum(n) AS n
        FROM
        (
            SELECT 'assigned' AS kind, toDate(created_at, {time_zone:String}) AS day, sum(sign) AS n
            FROM scope WHERE has(wanted, 'days') GROUP BY day
            UNION ALL
            SELECT 'assigned_completed' AS kind, toDate(created_at, {time_zone:String}) AS day, sum(sign) AS n
            FROM scope WHERE has(wanted, 'days') AND class = 2 AND bitTest(state, 0) GROUP BY day
            UNION ALL
            SELECT 'completed' AS kind, toDate(completed_at, {time_zone:String}) AS day, sum(sign) AS n
            FROM scope
            WHERE has(wanted, 'days') AND class = 2 AND bitTest(state, 0) AND toUnixTimestamp64Milli(completed_at) != 0 AND completed_at <= as_of
            GROUP BY day
            UNION ALL
            SELECT 'graded' AS kind, toDate(first_graded_at, {time_zone:String}) AS day, sum(sign) AS n
            FROM scope WHERE has(wanted, 'days') AND class = 2 AND bitTest(state, 3) GROUP BY day
            UNION ALL
            -- An overdue span adds one from the day it began and takes it away from the day it ended.
            SELECT
                moment.1 AS kind,
                toDate(fromUnixTimestamp64Milli(moment.2), {time_zone:String}) AS day,
                sum(sign) AS n
            FROM overdue_spans
            ARRAY JOIN arrayFilter(each -> each.2 > 0, [
                ('overdue_began', began_ms),
                ('overdue_turned', if(touches, 0, began_ms)),
                ('overdue_ended', if(ended_ms <= toUnixTimestamp64Milli(as_of), ended_ms, 0))
            ]) AS moment
            GROUP BY kind, day
        )
        GROUP BY kind, day
        HAVING n != 0
        ORDER BY day
    )

    UNION ALL
    SELECT 'due_days', toJSONString(groupArray((due_day, facts, n)))
    FROM
    (
        SELECT due_day, bitAnd(facts, ranking_facts) AS facts, sum(sign) AS n
        FROM scope
        WHERE has(wanted, 'due_days') AND due_day IS NOT NULL
        GROUP BY due_day, facts
        HAVING n != 0
    )

    UNION ALL
    SELECT 'challenges', toJSONString(groupArray((challenge_id, facts, n)))
    FROM
    (
        SELECT challenge_id, bitAnd(facts, ranking_facts) AS facts, sum(sign) AS n
        FROM scope
        WHERE has(wanted, 'challenges')
        GROUP BY challenge_id, facts
        HAVING n != 0
    )

    UNION ALL
    -- Someone in two teams counts in both lines.
    SELECT 'teams', toJSONString(groupArray((team, facts, n)))
    FROM
    (
        SELECT arrayJoin(if(empty(people.teams), [''], people.teams)) AS team, facts, sum(n) AS n
        FROM by_user
        LEFT JOIN people ON people.user_id = by_user.user_id
        GROUP BY team, facts
        HAVING n != 0
    )

    UNION ALL
    SELECT 'names', toJSONString(groupArray((kind, id, name)))
    FROM (SELECT kind, id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE has(wanted, 'names') GROUP BY kind, id)

    UNION ALL
    SELECT 'complete_through', toJSONString(if(count() = 0, NULL, toUnixTimestamp64Milli(min(through))))
    FROM (SELECT max(complete_through) AS through FROM rollcall.log_positions GROUP BY log_partition)

    UNION ALL
    SELECT 'received', toJSONString((
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.event_rows WHERE has(wanted, 'received')),
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.failed_event_rows WHERE has(wanted, 'received')),
        (SELECT uniqExact(event_id) FROM rollcall.failed_event_rows WHERE has(wanted, 'received') AND received_at >= {today:DateTime64(3, 'UTC')}),
        (SELECT uniqExact(event_id) FROM rollcall.event_rows WHERE has(wanted, 'received') AND received_at >= {today:DateTime64(3, 'UTC')} AND rank = 0 AND event_type != 'userDeleted')
    ))
    WHERE has(wanted, 'received')
)
ORDER BY block -- So that the text of an answer depends on its content alone.
SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
