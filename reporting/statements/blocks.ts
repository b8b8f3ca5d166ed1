/**
 * All counts behind the metrics of a scope, in one statement, so that they come from one snapshot. The engine counts assignments with
 * equal facts; metrics/blocks.ts reads the counts. It uses no views and holds only the filters that are given: planning costs the same for
 * a small store as for a large one, and most stores are small.
 */
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Detail } from '../metrics/blocks.ts'
import { instant, raw, sql, value, when, type Fragment } from '../expressions/sql.ts'
import type { Statement } from '../read/statement.ts'
import { factBitsOf, rankingBitsOf, rankingFacts } from './bits.ts'
import { asOf, overdueSpans, personsOf, versions, type ScopeArgs } from './versions.ts'

type BlocksArgs = ScopeArgs & { detail: Detail }

export const blocks: Statement<BlocksArgs> = {
  name: 'blocks',
  about: 'ids',
  persons: personsOf,
  text(args, seen) {
    const { scope, detail } = args
    const isOverview = detail === 'overview'
    const hasLists = detail !== 'counts'
    const zone = value('String', scope.timeZone)
    return sql`WITH
    ${asOf(scope)},
    toUnixTimestamp64Milli(as_of) AS as_of_ms,
    -- The signed states in scope. Each part of the statement reads only the columns that it needs: whatever it names is planned again.
    found AS
    (
        ${versions(args, seen, `class, user_id, state, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at, ${isOverview ? 'challenge_id, ' : ''}grade, due_spans, sign`)}
    )
-- Counts by one key at a time, one row per key. Day 65535 means "no day": it is after every time that can be read.
SELECT kind, [id] AS ids, day, groupArray(toString(key_bits)) AS bits, groupArray(n) AS counts, ${noNumbers} AS numbers
FROM
(
SELECT kind, id, day, key_bits, sum(n) AS n
FROM
(
    SELECT
        multiIf(
            grouping(all_bits) = 0, 'facts',
            ${when(hasLists, raw("grouping(created_day) = 0, if(is_completed, 'assigned_completed', 'assigned_other'), grouping(completion_day) = 0, 'completed', grouping(graded_day) = 0, 'graded',"))}
            ${when(isOverview, raw("grouping(challenge) = 0, 'challenges', grouping(due_week) = 0, 'due_weeks',"))}
            if(sumIf(sign, NOT is_completed) > 0, 'people', 'people_complete')
        ) AS kind,
        ${raw(isOverview ? 'challenge' : "''")} AS id,
        multiIf(
            grouping(all_bits) = 0, 0,
            ${when(hasLists, raw('grouping(created_day) = 0, created_day, grouping(completion_day) = 0, completion_day, grouping(graded_day) = 0, graded_day,'))}
            ${when(isOverview, raw('grouping(due_week) = 0, due_week,'))}
            0
        ) AS day,
        ${raw(isOverview ? 'if(grouping(all_bits) = 0, all_bits, ranking)' : 'all_bits')} AS key_bits,
        -- For the kinds about people this counts people, not assignments.
        if(grouping(person) = 0, sum(sign) > 0 AND person != '', sum(sign)) AS n
    FROM
    (
        SELECT
            ${factBitsOf(scope)} AS all_bits,
            ${when(isOverview, sql`bitAnd(all_bits, ${rankingFacts}) AS ranking, toString(challenge_id) AS challenge, ${dueWeekOf(scope)} AS due_week,`)}
            user_id AS person,
            bitTest(state, 0) AS is_completed,
            toUInt16(toDate(created_at, ${zone})) AS created_day,
            if(bitTest(state, 0) AND toUnixTimestamp64Milli(completed_at) != 0 AND completed_at <= as_of, toUInt16(toDate(completed_at, ${zone})), 65535) AS completion_day,
            if(bitTest(state, 3), toUInt16(toDate(first_graded_at, ${zone})), 65535) AS graded_day,
            sign
        FROM found
    )
    GROUP BY GROUPING SETS (
        (all_bits), (person)
        ${when(hasLists, raw(', (created_day, is_completed), (completion_day), (graded_day)'))}
        ${when(isOverview, raw(', (challenge, ranking), (due_week, ranking)'))}
    )
    HAVING n != 0
)
GROUP BY kind, id, day, key_bits
)
GROUP BY kind, id, day
${when(isOverview, sql`UNION ALL\n${teamSets(scope, sql`SELECT user_id, ${rankingBitsOf(scope)} AS ranking, sign AS n FROM found`)}`)}
${when(hasLists, sql`UNION ALL\n${ages}\nUNION ALL\n${durations(scope)}`)}`
  },
}

const noNumbers = raw('CAST(([], []) AS Map(String, Nullable(Float64)))')

const dueWeekOf = ({ dueZone }: Scope) =>
  sql`if(toUnixTimestamp64Milli(due_date) != 0, toUInt16(toMonday(toDate(due_date, ${value('String', dueZone)}))), 65535)`

/**
 * Counts by set of teams; a person in two teams counts in both. A person's rows are joined without collapsing them first, with their signs as
 * factors: collapsing costs more than the rest. Teams reported only after both the instant and now do not count.
 */
const teamSets = (
  { now }: Scope,
  members: Fragment,
) => sql`SELECT 'teams', any(team_ids), 0, groupArray(toString(ranking)), groupArray(m), ${noNumbers}
FROM
(
    SELECT team_set, any(teams) AS team_ids, ranking, sum(n * if(copies = 0, 1, copies)) AS m
    FROM (${members}) AS member
    LEFT JOIN
    (
        SELECT user_id, sign AS copies, if(teams_seen_at <= greatest(as_of, ${instant(now)}), teams, []) AS teams, cityHash64(teams) AS team_set
        FROM rollcall.user_versions
        WHERE valid_from <= as_of AND valid_to > as_of
    ) AS people ON people.user_id = member.user_id
    GROUP BY team_set, ranking
    HAVING m != 0
)
GROUP BY team_set`

const ages =
  raw(`-- Ages of what awaits grading, and grades: the lower and upper median, the maximum, the sum, and ten bins of grades by their number.
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
GROUP BY kind`)

function durations(scope: Scope): Fragment {
  const zone = value('String', scope.timeZone)
  return sql`-- Exact Kaplan-Meier estimates over the pieces: the waits at which survival falls to 0.5 and 0.1, with a tolerance of 1e-9. Also the
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
                        ${measured(scope)}
                    )
                    -- An overdue span counts from the day it began until the day it ended. Where a span begins exactly when the one before
                    -- ended, that is one turn, not an end and a beginning.
                    ARRAY JOIN arrayConcat(
                        [to_complete, if(to_grade < 0, -1, to_grade + bitShiftLeft(1::Int64, 56))],
                        arrayMap(span -> bitShiftLeft(2::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.1), ${zone})), 26), overdue),
                        arrayMap(span -> if(span.2 > as_of_ms, -1, bitShiftLeft(3::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.2), ${zone})), 26)), overdue),
                        arrayMap((span, before) -> if(before.2 = span.1, -1, bitShiftLeft(4::Int64, 56) + bitShiftLeft(toInt64(toDate(fromUnixTimestamp64Milli(span.1), ${zone})), 26)), overdue, arrayShiftRight(overdue, 1, (0::Int64, 0::Int64)))
                    ) AS moment
                    WHERE moment >= 0
                    GROUP BY bucket
                )
            )
        )
    )
)
GROUP BY kind, day`
}

function measured(scope: Scope): Fragment {
  return sql`-- A wait is one number: its length in ms, times 2, plus 1 if it still goes on (censored). Sorted by it, ends come
                        -- before censorings of the same length, so one pass is enough. -1 = not measured. A span is overdue from its "late
                        -- from" on: the first instant of the day after the due day.
                        SELECT
                            sign,
                            ${overdueSpans(scope)} AS overdue,
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
                        FROM found`
}
