/** The changes between two moments: the states of both, paired by the key of the assignment (METRICS.md, Cause of a change). */
import { toInstantOrNull } from '../../schemas/instant.ts'
import { factsIn, holds, toTest, type Bits, type Fact } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { compile } from '../expressions/evaluate.ts'
import { whereOf } from '../scope/filters.ts'
import {
  bitOf,
  byTime,
  changeCauses,
  changeKinds,
  kindRules,
  moves,
  other,
  type ChangeCause,
  type ChangeCounts,
  type ChangeFlag,
  type ChangeKind,
  type ChangeRule,
  type ChangesArgs,
} from '../metrics/changes.ts'
import type { Columns } from './columns.ts'
import { Cursor } from './cursor.ts'
import { createJudge } from './kinds.ts'
import { findOnce, type Memory } from './memory.ts'
import { toSets } from './rankings.ts'
import { select, toPeople, toSeen, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'
import { createFirst } from './sort.ts'

type Place = { columns: Columns; row: number }
/** An assignment at the earlier and at the later moment: its state, and whether it is in scope then. */
type Pair = { was: Place | undefined; is: Place | undefined; wasInScope: boolean; isInScope: boolean }
/** One that changed, with its facts and its kinds, in all and of each cause. */
type Told = Pair & { before: Bits; after: Bits } & Record<'kinds' | ChangeCause, number>

export type Moments = { before: InScope; after: InScope }

/** The later state, or the earlier one where there is none. */
const lastOf = ({ was, is }: Pick<Told, 'was' | 'is'>): Place => (is ?? was)!

/** The changes, each with its kinds and their causes. */
function tell(memory: Memory, moments: Moments): Promise<readonly Told[]> {
  return findOnce(memory, 'changes', moments, () => tellAnew(memory, moments))
}

async function tellAnew(memory: Memory, moments: Moments): Promise<Told[]> {
  const [earlier, later] = [moments.before.scope.asOf, moments.after.scope.asOf]
  const isSeen = toSeen(memory, moments.after.seenIds)
  const [before, after] = [await select(memory, moments.before), await select(memory, moments.after)]
  const judge = await createJudgement(memory, moments)
  const changed: Told[] = []
  const add = (pair: Pair): void => {
    const told = pair.wasInScope || pair.isInScope ? judge(pair) : null
    if (told !== null) changed.push(told)
  }
  /** Those whose state is another row, by number of the assignment. */
  const moving = new Map<number, Pair>()
  for (const columns of [memory.open, memory.closed]) {
    const { class: classes, user_id, assignment_id, valid_from, valid_to } = columns.values
    const [then, now] = [toCodes(before, columns), toCodes(after, columns)]
    await inSlices(columns.size, (row) => {
      const [began, ended] = [valid_from[row]!, valid_to[row]!]
      const was = began <= earlier && ended > earlier
      const is = began <= later && ended > later
      if ((!was && !is) || isSeen[user_id[row]!] === 0) return
      // Most are of the same facts.
      if (was && is && then.codes[row] === now.codes[row] && then.kinds === now.kinds) return
      const wasInScope = was && then.codes[row]! >= 0
      const isInScope = is && now.codes[row]! >= 0
      const place = { columns, row }
      if (was && is) add({ was: place, is: place, wasInScope, isInScope })
      else if (classes[row] !== 3) {
        const none = { was: undefined, is: undefined, wasInScope: false, isInScope: false }
        const pair = moving.get(assignment_id[row]!) ?? none
        moving.set(assignment_id[row]!, pair)
        pair[was ? 'was' : 'is'] = place
        pair.wasInScope ||= wasInScope
        pair.isInScope ||= isInScope
      }
    })
  }
  const pairs = [...moving.values()]
  await inSlices(pairs.length, (each) => add(pairs[each]!))
  return changed
}

/** By row, the codes of the selected rows; of all other rows -1. */
function toCodes(selections: readonly Selection[], columns: Columns) {
  const selection = selections.find((selection) => selection.columns === columns)
  const codes = new Int32Array(columns.size).fill(-1)
  selection?.rows.forEach((row, index) => (codes[row] = selection.facts.codes[index]!))
  return { codes, kinds: selection?.facts.kinds }
}

const nothing: Bits = { low: 0, high: 0, days: NaN }
const differIn = (fact: Fact, a: Bits, b: Bits) => holds(fact, a) !== holds(fact, b)
const finalGrade = (1 << stateBits.graded) | (1 << stateBits.grade_known)
const gradeOf = (of: Place | undefined): number | null =>
  of === undefined || (of.columns.values.state[of.row]! & finalGrade) !== finalGrade
    ? null
    : of.columns.values.grade[of.row]!
const dueOf = (of: Place | undefined): number => of?.columns.values.due_date[of.row] ?? 0

/** `null`: nothing that is told. */
async function createJudgement(memory: Memory, moments: Moments): Promise<(pair: Pair) => Told | null> {
  const earlier = moments.before.scope
  const factsThen = await createFacts(memory, earlier)
  const factsNow = await createFacts(memory, moments.after.scope)
  const isIn = createFilter(memory, moments)
  return (pair) => {
    const { was, is, wasInScope } = pair
    const [before, after] = [was ? factsThen(was) : nothing, is ? factsNow(is) : nothing]
    const flags = toFlags(pair, before, after)
    const isOtherwise = before.low !== after.low || before.high !== after.high
    if (wasInScope === pair.isInScope && !isOtherwise && !flags.is_other_grade && !flags.is_due_moved)
      return null
    const named = toKinds(flags, before, after)
    const isByTime = was === undefined && isCreatedByTime(is!, earlier.asOf)
    /** The facts of the later state with the clock held at the earlier moment. */
    const clocked = isByTime ? nothing : is === undefined || is === was ? before : factsThen(is)
    const moved = named & moves
    const byEvent = moved !== 0 && (isIn(pair, clocked) && !isByTime) !== wasInScope ? moved : 0
    const byAny = moved !== 0 && isIn(pair, after) !== wasInScope ? moved : 0
    let time = byAny & ~byEvent
    if (isByTime) time |= named & bitOf('assigned')
    for (const [kind, fact] of timedFacts) {
      const isTimed = () => differIn(fact, before, after) && !differIn(fact, before, clocked)
      if ((named & kind) !== 0 && isTimed()) time |= kind
    }
    const people = moved & ~(byEvent | byAny)
    let event = named & ~(time | people)
    if (named === 0) {
      // A change without a name may have two causes.
      const timed = toTimed(before, after, clocked)
      if (timed.some) time |= other
      if (!timed.some || !timed.all) event |= other
    }
    return { ...pair, before, after, kinds: named || other, event, time, people }
  }
}

/** The facts of a state at the moment of a scope. */
async function createFacts(memory: Memory, scope: Scope): Promise<(place: Place) => Bits> {
  const [open, closed] = [await createJudge(memory.open, scope), await createJudge(memory.closed, scope)]
  return ({ columns, row }) => {
    const judge = columns === memory.open ? open : closed
    return judge.of(judge.codeOf(row))
  }
}

function toFlags({ was, is, wasInScope, isInScope }: Pair, before: Bits, after: Bits) {
  const [gradeBefore, gradeAfter] = [gradeOf(was), gradeOf(is)]
  return {
    was_there: was !== undefined,
    is_there: is !== undefined,
    was_in_scope: wasInScope,
    is_in_scope: isInScope,
    is_due_moved: dueOf(was) !== dueOf(is),
    is_other_grade: gradeBefore !== null && gradeAfter !== null && gradeBefore !== gradeAfter,
    is_passed_otherwise: differIn('passed', before, after),
  } satisfies Record<ChangeFlag, boolean>
}

type TestOfRule = (flags: Record<ChangeFlag, boolean>, before: Bits, after: Bits) => boolean

/** Asked of every change: a rule becomes a function once. */
function toTestOfRule(rule: ChangeRule): TestOfRule {
  if ('any' in rule) return (flags) => rule.any.some((each) => flags[each])
  if ('is' in rule) return (flags) => flags[rule.is]
  if ('isNot' in rule) return (flags) => !flags[rule.isNot]
  const [fact, was, is] =
    'gained' in rule
      ? [rule.gained, false, true]
      : 'lost' in rule
        ? [rule.lost, true, false]
        : [rule.kept, true, true]
  const test = toTest(fact)
  return (_, before, after) => test(after, 0) === is && test(before, 0) === was
}
const allRules = Object.entries(kindRules).map(
  ([kind, rules]) => [bitOf(kind as ChangeKind), rules.map(toTestOfRule)] as const,
)

function toKinds(...change: Parameters<TestOfRule>): number {
  let kinds = 0
  for (const [kind, tests] of allRules) if (tests.every((isSo) => isSo(...change))) kinds |= kind
  return kinds
}
const timedFacts = Object.entries(byTime).map(([kind, fact]) => [bitOf(kind as ChangeKind), fact] as const)

const isCreatedByTime = ({ columns: { values }, row }: Place, earlier: number): boolean =>
  values.created_at[row]! > earlier && values.life_started_at[row]! <= earlier

/** Whether the later state would be in scope with some facts, and with the people of the earlier moment. */
function createFilter(memory: Memory, { before, after: { scope } }: Moments) {
  const where = whereOf(scope)
  const rows = where.flatMap((each) => ('row' in each ? [each.row] : []))
  const people = toPeople(memory, before)
  const facts = where.flatMap((each) => ('fact' in each ? [each.fact] : []))
  const isRow = rows.map((each) => compile<Cursor>(each, scope, people))
  const cursors = new Map([memory.open, memory.closed].map((columns) => [columns, new Cursor(columns)]))
  return ({ is }: Pair, bits: Bits): boolean => {
    if (is === undefined) return false
    const cursor = cursors.get(is.columns)!
    cursor.row = is.row
    return isRow.every((isSo) => isSo(cursor) !== 0) && facts.every((each) => holds(each, bits))
  }
}

/** Whether some of the facts that differ, and all of them, would not with the clock held. */
function toTimed(before: Bits, after: Bits, byClock: Bits): { some: boolean; all: boolean } {
  const [low, high] = [before.low ^ after.low, before.high ^ after.high]
  const [lowHeld, highHeld] = [before.low ^ byClock.low, before.high ^ byClock.high]
  return {
    some: ((low & ~lowHeld) | (high & ~highHeld)) !== 0,
    all: ((low & lowHeld) | (high & highHeld)) === 0,
  }
}

const toChangedMs = ({ was, is, event, time }: Told, asOf: number): number => {
  if (is === undefined) return Math.min(was!.columns.values.valid_to[was!.row]!, asOf)
  if (event !== 0) return is.columns.values.valid_from[is.row]!
  return (time & bitOf('became_overdue')) === 0 ? 0 : Math.min(dueOf(is), asOf)
}

type Key = { changed_ms: number; akey: bigint }
/** The newest change first. */
const compare = (a: Key, b: Key): number =>
  b.changed_ms - a.changed_ms || (a.akey < b.akey ? -1 : Number(a.akey > b.akey))

/** A page at a time. */
export async function findChanges(memory: Memory, moments: Moments, request: ChangesArgs) {
  const kindsOf = (mask: number) => changeKinds.filter((kind) => (mask & bitOf(kind)) !== 0)
  const mask = (request.kinds.length === 0 ? changeKinds : request.kinds).reduce(
    (bits, kind) => bits | bitOf(kind),
    0,
  )
  const causes = request.causes.length === 0 ? changeCauses : request.causes
  const after = request.after && { ...request.after, akey: BigInt(request.after.akey) }
  const page = createFirst<Key & { change: Told }>(compare, request.limit)
  let total = 0
  const all = await tell(memory, moments)
  await inSlices(all.length, (index) => {
    const change = all[index]!
    if (!causes.some((cause) => (change[cause] & mask) !== 0)) return
    total++
    const { columns, row } = lastOf(change)
    const changed_ms = toChangedMs(change, moments.after.scope.asOf)
    const key = { change, changed_ms, akey: columns.values.akey[row]! }
    if (after === null || compare(key, after) > 0) page.add(key)
  })
  const changes = page.all().map(({ change, changed_ms, akey }) => {
    const kinds = kindsOf(change.kinds)
    return {
      ...lastOf(change).columns.idsOf(lastOf(change).row),
      akey: String(akey),
      changed_ms,
      before: toSide(change.was, change.wasInScope, change.before),
      after: toSide(change.is, change.isInScope, change.after),
      kinds,
      reasons: kinds.map((kind) => ({
        kind,
        causes: changeCauses.filter((cause) => (change[cause] & bitOf(kind)) !== 0),
      })),
      causes: changeCauses.filter((cause) => change[cause] !== 0),
    }
  })
  return { total, changes }
}

const toSide = (of: Place | undefined, in_scope: boolean, facts: Bits) => ({
  in_scope,
  facts: of === undefined ? [] : factsIn(facts),
  grade: gradeOf(of),
  due_date: toInstantOrNull(dueOf(of)),
})

/** By kind, and of each kind by cause, challenge and team. */
export async function countChanges(memory: Memory, moments: Moments): Promise<ChangeCounts> {
  const { sets, ofUser } = toSets(memory, moments.after.scope, 'team')
  const counts = changeKinds.map((kind) => ({
    kind,
    n: 0,
    causes: { event: 0, time: 0, people: 0 },
    by_team: new Map<string, number>(),
    by_challenge: new Map<string, number>(),
  }))
  const changes = await tell(memory, moments)
  await inSlices(changes.length, (index) => {
    const change = changes[index]!
    const { columns, row } = lastOf(change)
    const teams = sets[ofUser[columns.values.user_id[row]!]!]!
    for (const [bit, count] of counts.entries()) {
      if (((change.kinds >>> bit) & 1) === 0) continue
      count.n++
      for (const cause of changeCauses) count.causes[cause] += (change[cause] >>> bit) & 1
      for (const team of teams.length === 0 ? [''] : teams) addOne(count.by_team, team)
      addOne(count.by_challenge, columns.nameOf('challenge_id', row))
    }
  })
  const kinds = counts
    .filter(({ n }) => n > 0)
    .map((count) => ({
      ...count,
      by_team: toGroups(count.by_team),
      by_challenge: toGroups(count.by_challenge),
    }))
  return { total: changes.length, kinds }
}

function addOne(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1)
}

/** Most first. */
const toGroups = (counts: Map<string, number>) =>
  [...counts].map(([id, n]) => ({ id, n })).sort((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1))
