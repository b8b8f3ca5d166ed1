/**
 * The changes in a scope between two moments: assignments that came into it, left it, or whose facts, grade or due date differ. Every
 * state is read once and judged at each moment at which it holds, in scope and whatever its person and filters, so that the reason can be
 * told (METRICS.md, Cause of a change).
 */
import {
  type BetweenArgs,
  type ChangeFlag,
  type ChangeKind,
  type ChangeRule,
  type ChangesArgs,
  bitOf,
  briefKinds,
  byTime,
  changeCauses,
  changeKinds,
  kindRules,
  moves,
  other,
} from '../metrics/changes.ts'
import { agingBuckets } from '../../schemas/metrics/answer.ts'
import { factBits, toFactMask, type Condition, type Fact } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { idsOf, instant, join, list, raw, sql, value, when, where, type Fragment } from '../expressions/sql.ts'
import type { Seen, Statement } from '../read/statement.ts'
import { daysSinceDue } from '../expressions/store-sql.ts'
import { allFacts, overFacts, primaryBitsOf } from './bits.ts'
import { people } from './people.ts'
import { conditionsOf, factsOf, personsOf } from './versions.ts'

const dayMs = 86_400_000

const bitTest = (column: string, fact: Fact) => `bitTest(${column}, ${factBits[fact]})`
const flagColumns: Partial<Record<ChangeFlag, string>> = {
  is_due_moved: 'due_before != due_after',
  is_passed_otherwise: bitTest('bitXor(facts_before, facts_after)', 'passed'),
}
function printRule(rule: ChangeRule): string {
  if ('gained' in rule) return bitTest('gained', rule.gained)
  if ('lost' in rule) return bitTest('lost', rule.lost)
  if ('kept' in rule) return `${bitTest('facts_before', rule.kept)} AND ${bitTest('facts_after', rule.kept)}`
  if ('any' in rule) return `(${rule.any.map((is) => printRule({ is })).join(' OR ')})`
  return 'is' in rule ? (flagColumns[rule.is] ?? rule.is) : `NOT ${rule.isNot}`
}

const toBits = (kinds: readonly (readonly [kind: string, condition: string])[]): string =>
  kinds.map(([kind, condition]) => `${bitOf(kind as ChangeKind)} * (${condition})`).join(' + ')
const bitsByTime = toBits([
  ['assigned', 'is_created_by_time'],
  ...Object.entries(byTime).map(([kind, fact]) => [kind, bitTest('timed', fact)] as const),
])
const bitsOfKinds = (isAsked: (kind: ChangeKind) => boolean): string =>
  toBits(
    Object.entries(kindRules)
      .filter(([kind]) => isAsked(kind as ChangeKind))
      .map(([kind, rules]) => [kind, rules.map(printRule).join(' AND ')]),
  )

const briefFacts = toFactMask(['completed', 'failed', 'graded', 'passed'])
const isBriefKind = (kind: ChangeKind) => (briefKinds as readonly ChangeKind[]).includes(kind)

const columns =
  'akey, assignment_id, user_id, challenge_id, class, state, valid_from, valid_to, life_started_at, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at, grade, img, sign'

const all = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? raw('true') : join(conditions, ' AND ')

/** Definitions for a WITH; the last one is `told`: an assignment each, with its kinds and, but for `isBrief`, their causes as bits. */
function between(args: BetweenArgs, seen: Seen, isBrief: boolean): Fragment {
  const { before, underBefore, scope } = args
  return sql`${instant(before.asOf)} AS earlier,
    ${instant(scope.asOf)} AS later,
    ${states(args, seen, isBrief)}
    ${judged(args, isBrief)}
    -- Each level names what the next one uses: where one level used its own names, the planner would write each of them out again.
    sides AS
    (
        SELECT
            akey,
            any(id) AS assignment_id,
            argMax(person, side) AS user_id,
            argMax(challenge_key, side) AS challenge_id,
            countIf(side = 0) > 0 AS was_there,
            countIf(side = 1) > 0 AS is_there,
            anyIf(facts, side = 0) AS facts_before,
            anyIf(facts, side = 1) AS facts_after,
            ${when(
              !isBrief,
              raw(`if(countIf(side = 2) > 0, anyIf(facts, side = 2), facts_before) AS facts_of_clock,
            NOT was_there AND anyIf(is_created_later, side = 1) AS is_created_by_time,
            anyIf(fits, side = 1) AS fits_later,
            anyIf(turned_ms, side = 0) AS ended_ms,
            anyIf(turned_ms, side = 1) AS began_ms,`),
            )}
            anyIf(due_ms, side = 0) AS due_before,
            anyIf(due_ms, side = 1) AS due_after,
            anyIf(final_grade, side = 0) AS grade_before,
            anyIf(final_grade, side = 1) AS grade_after,
            countIf(side = 0 AND is_member) > 0 AS was_in_scope,
            countIf(side = 1 AND is_member) > 0 AS is_in_scope
        FROM judged
        GROUP BY akey
    ),
    changed AS
    (
        SELECT *
        FROM
        (
            SELECT
                *,
                ifNull(grade_before != grade_after, false) AS is_other_grade,
                ${when(!isBrief, raw('if(is_created_by_time, 0, facts_of_clock) AS facts_held,'))}
                bitAnd(facts_after, bitNot(facts_before)) AS gained,
                bitAnd(facts_before, bitNot(facts_after)) AS lost
            FROM sides
        )
        WHERE was_in_scope != is_in_scope OR (was_in_scope AND (facts_before != facts_after OR is_other_grade OR due_before != due_after))
    ),
    named AS
    (
        SELECT *, ${raw(bitsOfKinds(isBrief ? isBriefKind : () => true))} AS named_kinds
        FROM changed
    ),
    ${when(!isBrief, causes(scope, underBefore))}
    told AS
    (
        SELECT *, toUInt16(named_kinds + ${raw(String(other))} * (named_kinds = 0)) AS kinds
        FROM ${raw(isBrief ? 'named' : 'caused')}
    )`
}

/** The signed states of both moments. `as_of` is the clock by which a state is judged. */
function states(args: BetweenArgs, seen: Seen, isBrief: boolean): Fragment {
  return sql`-- Side 0 is the earlier moment, 1 the later one. Side 2: the states of the later one that began in between, with the clock held at the earlier.
    states AS
    (
        SELECT * EXCEPT asked, asked.1 AS side, asked.2 AS as_of
        FROM
        (
            SELECT ${raw(columns)}
            FROM
            (
                SELECT ${raw(columns)} FROM rollcall.open_versions
                ${where(raw('class != 3'), raw('valid_from <= later'), seen.only('user_id'))}
                UNION ALL
                SELECT ${raw(columns)} FROM rollcall.closed_versions
                ${where(raw('valid_to > earlier'), raw('class != 3'), raw('valid_from <= later'), seen.only('user_id'))}
            )
            WHERE ${isMoving(args, isBrief)}
        )
        ARRAY JOIN arrayFilter(each -> each.3, [
            (0, earlier, valid_from <= earlier AND valid_to > earlier),
            (1, later, valid_to > later)${raw(isBrief ? '' : ', (2, earlier, valid_to > later AND valid_from > earlier)')}
        ]) AS asked
    ),`
}

/** A state each, with its facts, and whether it is in scope. */
function judged({ underBefore, scope, under }: BetweenArgs, isBrief: boolean): Fragment {
  const { ofPeople, ofFacts, ofRow } = conditionsOf(scope)
  const facts = factsOf(scope)
  const isOverdue = sql`bitShiftLeft(toUInt64(${facts('overdue')}), 25)`
  const [ofThen, ofNow] = [all(ofPeople('earlier', underBefore)), all(ofPeople('later', under))]
  return sql`judged AS
    (
        SELECT
            akey, side, any(assignment_id) AS id, any(toString(user_id)) AS person, any(toString(challenge_id)) AS challenge_key,
            any(all_facts) AS facts, any(toUnixTimestamp64Milli(due_date)) AS due_ms,
            ${when(!isBrief, raw('any(is_late_creation) AS is_created_later, any(fits_filters) AS fits, any(toUnixTimestamp64Milli(if(side = 0, valid_to, valid_from))) AS turned_ms,'))}
            any(is_of_scope) AS is_member,
            -- Only for graded assignments: before that the platform may send a preliminary grade.
            any(if(bitAnd(state, 8200) = 8200, toNullable(grade), NULL)) AS final_grade
        FROM
        (
            SELECT
                *,
                ${isBrief ? sql`toUInt64(bitAnd(state, ${raw(briefFacts)})) + ${isOverdue}` : allFacts(scope.dueSoonDays)} AS all_facts,
                ${when(!isBrief, sql`life_started_at <= earlier AND created_at > earlier AS is_late_creation, ${all(ofRow)} AS fits_filters,`)}
                ${isBrief ? sql`side = 1 AND ${all(ofRow)} AND ${ofNow}` : sql`fits_filters AND if(side = 0, ${ofThen}, ${ofNow})`}
                    ${when(ofFacts.length > 0, sql`AND ${isBrief ? all(ofFacts.map(facts)) : byFacts(ofFacts, 'all_facts')}`)} AS is_of_scope
            FROM ${isBrief ? raw('states') : sql`(SELECT *, ${primaryBitsOf(scope)} AS bits, ${daysSinceDue(scope)} AS days FROM states)`}
        )
        GROUP BY akey, side, img
        HAVING sum(sign) > 0
    ),`
}

const byFacts = (conditions: readonly Condition[], column: string) =>
  all(conditions.map((each) => overFacts(each, column)))

/** The cause of each kind of a change. With the clock held, an assignment has `facts_held` at the later moment. */
function causes(scope: Scope, underBefore: readonly string[]): Fragment {
  const { ofPeople, ofFacts } = conditionsOf(scope)
  return sql`weighed AS
    (
        SELECT
            *,
            bitOr(gained, lost) AS differing,
            bitAnd(differing, bitNot(bitXor(facts_before, facts_held))) AS timed,
            is_there AND fits_later AND ${byFacts(ofFacts, 'facts_after')} AS fits_after,
            is_there AND fits_later AND NOT is_created_by_time AND ${byFacts(ofFacts, 'facts_held')} AS fits_held,
            -- Whether the person of the later moment was in scope at the earlier one.
            ${all(ofPeople('earlier', underBefore))} AS fits_person,
            bitAnd(named_kinds, ${raw(String(moves))}) AS moved_kinds
        FROM named
    ),
    moved AS
    (
        SELECT
            *,
            moved_kinds * ((fits_held AND fits_person) != was_in_scope) AS moved_by_event,
            moved_kinds * ((fits_after AND fits_person) != was_in_scope) AS moved_by_any
        FROM weighed
    ),
    caused AS
    (
        SELECT
            *,
            toUInt16(
                bitAnd(moved_by_any, bitNot(moved_by_event))
                + bitAnd(named_kinds, ${raw(bitsByTime)})
                + ${raw(String(other))} * (named_kinds = 0 AND timed != 0)
            ) AS by_time,
            toUInt16(bitAnd(moved_kinds, bitNot(bitOr(moved_by_event, moved_by_any)))) AS by_people,
            -- What has no name may have two causes.
            toUInt16(bitAnd(named_kinds, bitNot(bitOr(by_time, by_people))) + ${raw(String(other))} * (named_kinds = 0 AND (timed = 0 OR timed != differing))) AS by_event
        FROM moved
    ),`
}

/**
 * Only what can differ between the moments: a state that began or ended between them, a due date whose day passes between them, and, where
 * the scope before matters, due dates at an edge of a count of days and the states of people who changed. A superset: a row in doubt is
 * compared. Equal rows are kept or left out together, and a state that is valid at both moments, too.
 */
function isMoving({ before, underBefore, scope, under }: BetweenArgs, isBrief: boolean): Fragment {
  // A day passes at its end in the due zone, up to 24 h later, or 25 where clocks go back.
  const passedFrom = instant(Math.max(0, before.asOf - 2 * dayMs))
  const within = (at: string, from: Fragment) => sql`(${raw(at)} > ${from} AND ${raw(at)} <= later)`
  const passed = (at: string) => within(at, sql`${passedFrom}`)
  const began = ['valid_from', 'valid_to'].map((at) => within(at, raw('earlier')))
  if (isBrief) return sql`(${join([...began, passed('due_date')], ' OR ')})`
  const [then, today] = [new Set(underBefore), new Set(under)]
  const ledOnce = [...underBefore.filter((id) => !today.has(id)), ...under.filter((id) => !then.has(id))]
  const changedPeople = sql`user_id IN (
                SELECT user_id FROM rollcall.user_versions
                -- Teams and attributes named only after a moment, and after now, do not count at it.
                WHERE ${join([...began, ...['teams', 'attributes'].map((what) => sql`(${raw(what)}_seen_at > greatest(earlier, ${instant(scope.now)}) AND ${raw(what)}_seen_at <= later)`)], ' OR ')}
            )`
  const atAnEdge = sql`(class = 0 AND intDiv(toUnixTimestamp64Milli(later) - toUnixTimestamp64Milli(due_date), 86400000) IN ${list('Int32', toEdgeDays(before, scope))})`
  const ways = [
    ...began,
    ...['due_date', 'first_due_date', 'reviewers_due_date'].map(passed),
    atAnEdge,
    changedPeople,
    ...(ledOnce.length === 0 ? [] : [sql`user_id IN ${idsOf(ledOnce)}`]),
  ]
  return sql`(${join(ways, ' OR ')})`
}

/** The last day of each bucket of aging. */
const agingEdges = agingBuckets.flatMap((bucket) => bucket.split('-').slice(1).map(Number))

/**
 * How many whole days before the later moment a due date may lie to come, between the moments, over an edge: where it makes an assignment
 * due soon, overdue, or brings it into another bucket of aging. Days begin in the due zone, so two more on each side.
 */
function toEdgeDays(before: Scope, scope: Scope): number[] {
  const span = Math.ceil((scope.asOf - before.asOf) / dayMs)
  const edges = [-scope.dueSoonDays, 0, ...agingEdges]
  return [...new Set(edges.flatMap((edge) => Array.from({ length: span + 5 }, (_, day) => edge - 2 + day)))]
}

const changeColumns =
  'akey, assignment_id, user_id, challenge_id, was_there, is_there, facts_before, facts_after, due_before, due_after, grade_before, grade_after, was_in_scope, is_in_scope, kinds, by_event, by_time, by_people'

/** Assignment by assignment, the newest change first, a page at a time. */
export const changes: Statement<ChangesArgs> = {
  name: 'changes',
  about: 'ids',
  persons: personsOf,
  text(args, seen) {
    const { kinds, causes: named, after, limit } = args
    const mask = (kinds.length === 0 ? changeKinds : kinds).reduce((bits, kind) => bits | bitOf(kind), 0)
    const byCause = (named.length === 0 ? changeCauses : named).map((cause) => raw(`bitAnd(${mask}, by_${cause}) != 0`))
    return sql`WITH
    ${between(args, seen, false)}
SELECT *
FROM
(
    SELECT
        ${raw(changeColumns)}, count() OVER () AS total,
        multiIf(
            NOT is_there, ended_ms,
            by_event != 0, began_ms,
            bitAnd(by_time, ${raw(String(bitOf('became_overdue')))}) != 0, least(due_after, ${value('Int64', args.scope.asOf)}),
            0
        ) AS changed_ms
    FROM told
    -- A kind and a cause: the kind by that cause.
    WHERE ${join(byCause, ' OR ')}
)
${when(after !== null, sql`WHERE (-changed_ms, akey) > (${value('Int64', -(after?.changed_ms ?? 0))}, ${value('UInt64', after?.akey ?? '0')})`)}
ORDER BY changed_ms DESC, akey -- Keys are hashes.
LIMIT ${value('UInt32', limit)}`
  },
}

/**
 * By kind, and of each kind by cause, team and challenge. Kind 14 is all of them; an assignment that changed in several ways counts in each.
 * Teams are those at the later moment. `brief`: only `briefKinds`, without causes.
 */
export const changeCounts: Statement<BetweenArgs & { brief: boolean }> = {
  name: 'change-counts',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text({ brief, ...args }, seen) {
    const by = raw(brief ? '' : 'by_event, by_time, by_people, ')
    return sql`WITH
    ${between(args, seen, brief)}
-- Equal changes are counted first, so that few rows are multiplied by their kinds and dimensions. GROUPING SETS would say the same, and
-- take 120 ms more to plan.
SELECT kind, entry.1 AS dimension, entry.2 AS ids, sum(n) AS n
FROM
(
    SELECT
        arrayJoin(arrayPushBack(arrayFilter(bit -> bitTest(kinds, bit), range(14)), 14)) AS kind,
        ${when(!brief, raw(`[('event', bitTest(by_event, kind)), ('time', bitTest(by_time, kind)), ('people', bitTest(by_people, kind))] AS causes,`))}
        arrayJoin([('all', []), ${when(!brief, raw(`('cause', arrayMap(cause -> cause.1, arrayFilter(cause -> cause.2, causes))), `))}('challenge', [challenge_id]), ('team', teams)]) AS entry,
        n
    FROM
    (
        SELECT kinds, ${by}told.challenge_id AS challenge_id, person.teams AS teams, count() AS n
        FROM told
        LEFT JOIN (${people(args.scope, ['teams'], seen.only('user_id'), 'later')}) AS person ON person.user_id = told.user_id
        GROUP BY kinds, ${by}challenge_id, teams
    )
)
GROUP BY kind, entry`
  },
}
