/** The counts and lists of the page of grading: work that awaits a grade, how long grades take, and the backlog through time. */
import { type QueueArgs, waitingAges } from '../metrics/grading.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { instant, list, raw, sql, value, where, type Fragment, type Value } from '../expressions/sql.ts'
import { toDay } from '../scope/filter.ts'
import type { Seen, Statement } from '../read/statement.ts'
import { asOf, dayOf, factsOf, filtersOf, personsOf, versions, type ScopeArgs } from './versions.ts'

/** How long grades take: the time of handing in is known, and the first delivery did not have the grade already. */
const isMeasured = raw('NOT (bitTest(state, 14) OR bitTest(state, 17))')

/** Whether the reviewers' due date, which has not passed, is soon. */
const isSoon = ({ dueZone, dueSoonDays }: Scope): Fragment =>
  sql`(toInt32(${dayOf('reviewers_due_date', dueZone)}) - toInt32(toDate(as_of, ${value('String', dueZone)})) <= ${value('UInt16', dueSoonDays)})`

function gradedPeriod({ period, timeZone }: Scope): Fragment {
  const start = { day: 'toDate', week: 'toMonday', month: 'toStartOfMonth' }[period]
  return sql`toUInt16(${raw(start)}(first_graded_at, ${value('String', timeZone)}))`
}

/**
 * From one scan: how long grades take by challenge and by the period of the first grade, how long what awaits one has waited, and by when
 * reviewers are to give it. Each assignment is an entry in every count that it belongs to.
 * p50 and p90 by Kaplan-Meier as METRICS.md has it (a slack of 1e-9, ends before censorings at ties): by challenge over what is graded or
 * waits; by period over what was first seen graded in it, so nothing is censored there. Nearly every wait is a time of its own, so waits are
 * not counted but listed, each as one number that sorts by time, then ends before censorings, then rows that take others back before those.
 */
export const grading: Statement<ScopeArgs> = {
  name: 'grading',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    return sql`WITH
    ${asOf(args.scope)},
    toUnixTimestamp64Milli(as_of) AS as_of_ms,
    ${entries(args, seen)}
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
        quantileExactWeighted(0.5)(counted_value, toUInt64(m)) / 2 - quantileExactWeighted(0.5)(-counted_value, toUInt64(m)) / 2 AS median,
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
)`
  },
}

function entries(args: ScopeArgs, seen: Seen): Fragment {
  const is = factsOf(args.scope)
  const columns =
    'class, user_id, challenge_id, state, first_submitted_at, first_graded_at, reviewers_due_date, grade, sign'
  return sql`-- Grouped by numbers only, which takes the engine half the time that texts take: the kind by its place below, a period, age or state
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
                ${is('awaiting_grading')} AS is_waiting,
                ${is('graded')} AS is_graded,
                ${isMeasured} AS is_measured,
                challenge_id,
                cityHash64(challenge_id) AS challenge_hash,
                toUnixTimestamp64Milli(first_submitted_at) AS submitted_ms,
                as_of_ms - submitted_ms AS age_ms,
                toFloat64(if(is_graded, toUnixTimestamp64Milli(first_graded_at) - submitted_ms, age_ms)) AS wait_ms,
                intDiv(age_ms, 86400000) AS days,
                sign,
                arrayJoin(arrayFilter(each -> each.1 != 0, [
                    (1 * is_measured, 0::UInt16, wait_ms, toUInt8(NOT is_graded)),
                    (2 * (is_graded AND ${is('grade_known')}), 0, grade, 0),
                    (3 * is_waiting, 0, toFloat64(age_ms), 1),
                    (4 * (is_measured AND is_graded), ${gradedPeriod(args.scope)}, wait_ms, 0),
                    (5 * is_waiting, toUInt16(multiIf(days < 1, 1, days < 3, 2, days < 7, 3, days < 14, 4, days < 30, 5, 6)), toFloat64(age_ms), 1),
                    (6 * is_waiting, toUInt16(multiIf(${is('reviewers_late')}, 1, NOT ${is('reviewers_due_known')}, 2, ${isSoon(args.scope)}, 3, 4)), toFloat64(age_ms), 1)
                ])) AS entry
            FROM (${versions(args, seen, columns)})
            WHERE ${is('graded')} OR ${is('awaiting_grading')}
        )
        )
        GROUP BY kind_number, number, challenge_key, counted_value
        HAVING m != 0
    )`
}

/**
 * How many of the assignments in scope awaited grading at each of some earlier moments, by the state in force then: an assignment counts only
 * if it was then known, created and not deleted; its person, filters and activity are those of the scope's moment, as in the trend.
 */
export const gradingBacklog: Statement<ScopeArgs & { moments: readonly number[] }> = {
  name: 'grading-backlog',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text: ({ moments, ...args }, seen) => sql`WITH
    ${asOf(args.scope)},
    ${list(
      "DateTime64(3, 'UTC')",
      moments.map((each) => instant(each).value),
    )} AS moments,
    arrayMap(each -> toUnixTimestamp64Milli(each), moments) AS moments_ms,
    -- Only waits that one of the moments falls into: most begin and end between two.
    waited AS
    (
        SELECT akey, valid_from, valid_to, sign
        FROM
        (
            SELECT akey, valid_from, valid_to, sign FROM rollcall.open_versions
            ${where(raw('class = 1'), seen.only('user_id'))}
            UNION ALL
            SELECT akey, valid_from, valid_to, sign FROM rollcall.closed_versions
            ${where(raw('class = 1'), raw('valid_to > moments[1]'), seen.only('user_id'))}
        )
        WHERE roundDown(toUnixTimestamp64Milli(valid_to) - 1, moments_ms) >= toUnixTimestamp64Milli(valid_from)
    )
SELECT position, sum(sign) AS n
FROM
(
    SELECT arrayJoin(arrayFilter(each -> valid_from <= moments[each] AND valid_to > moments[each], arrayEnumerate(moments))) AS position, sign
    FROM waited
    WHERE akey IN (
        SELECT akey
        FROM (${versions(args, seen, 'akey, user_id, sign')})
        -- Few waited then: the others need not be added up.
        WHERE akey IN (SELECT akey FROM waited)
        GROUP BY akey
        HAVING sum(sign) > 0
    )
)
GROUP BY position`,
}

/** Work that awaits grading, or was graded: handed in longest ago first, a page at a time by keyset. */
export const gradingQueue: Statement<QueueArgs> = {
  name: 'grading-queue',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    const { scope, after, limit } = args
    const columns =
      'assignment_id, class, user_id, challenge_id, state, first_submitted_at, first_graded_at, reviewers_due_date, akey, img, sign'
    const handedIn = after === null ? null : instant(Date.parse(after.submittedAt))
    const isAfter =
      handedIn === null || after === null
        ? null
        : sql`(first_submitted_at > ${handedIn} OR (first_submitted_at = ${handedIn} AND assignment_id > ${value('String', after.assignmentId)}))`
    return sql`WITH
    ${asOf(scope)}
SELECT
    assignment.1 AS assignment_id,
    person_id AS user_id,
    challenge_key AS challenge_id,
    assignment.2 AS submitted_at,
    assignment.3 AS graded_at,
    assignment.4 AS reviewers_due_at,
    assignment.5 AS is_review_overdue,
    assignment.6 AS is_partly_graded,
    assignment.7 AS is_submission_known
FROM
(
    SELECT
        any((
            assignment_id, toUnixTimestamp64Milli(first_submitted_at), toUnixTimestamp64Milli(first_graded_at),
            toUnixTimestamp64Milli(reviewers_due_date), ${filtersOf(scope)('reviewer_overdue')}, bitTest(state, 4), NOT bitTest(state, 14)
        )) AS assignment,
        toString(any(user_id)) AS person_id,
        toString(any(challenge_id)) AS challenge_key
    FROM (${versions(args, seen, columns)})
    ${where(...toQueued(args), isAfter)}
    GROUP BY akey, img
    HAVING sum(sign) > 0
)
ORDER BY assignment.2, assignment.1 -- Handed in longest ago first; the id makes it a total order.
LIMIT ${value('UInt32', limit)}`
  },
}

function toQueued({ scope, of }: QueueArgs): Fragment[] {
  const is = filtersOf(scope)
  if ('gradedFrom' in of) {
    const [from, to] = [of.gradedFrom, of.gradedTo].map((date) => value('UInt16', toDay(date))) as [Value, Value]
    return [is('graded'), isMeasured, sql`${dayOf('first_graded_at', scope.timeZone)} BETWEEN ${from} AND ${to}`]
  }
  const { age, review } = of
  const conditions = [is('awaiting_grading')]
  if (age !== undefined) {
    const [from, to] = waitingAges[age]
    const days = raw('intDiv(toUnixTimestamp64Milli(as_of) - toUnixTimestamp64Milli(first_submitted_at), 86400000)')
    conditions.push(sql`${days} BETWEEN ${raw(String(from))} AND ${raw(String(to))}`)
  }
  if (review === 'overdue') conditions.push(is('reviewer_overdue'))
  else if (review !== undefined) {
    conditions.push(is(review === 'none' ? { not: 'reviewers_due_known' } : 'reviewers_due_known'))
    if (review !== 'none') conditions.push(is({ not: 'reviewers_late' }))
    if (review === 'soon') conditions.push(isSoon(scope))
    if (review === 'later') conditions.push(sql`NOT ${isSoon(scope)}`)
  }
  return conditions
}
