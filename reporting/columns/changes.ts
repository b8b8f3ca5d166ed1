/** The changes between two moments: the states of both, paired by the key of the assignment (METRICS.md, Cause of a change). */
import { toInstantOrNull } from '../../schemas/instant.ts'
import { factsIn, holds, type Bits, type Fact } from '../../schemas/metrics/facts.ts'
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
  type ChangeCount,
  type ChangeCounts,
  type ChangeFlag,
  type ChangeKind,
  type ChangeRule,
  type ChangesArgs,
} from '../metrics/changes.ts'
import { isOfPeople } from '../../schemas/metrics/expression.ts'
import type { Columns } from './columns.ts'
import { Cursor } from './cursor.ts'
import { createJudge, onceACode } from './kinds.ts'
import { findOnce, type Memory } from './memory.ts'
import { toSets } from './rankings.ts'
import { findSeenRows, select, toPeople, toSeen, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'
import { createFirst } from './sort.ts'

type Place = { columns: Columns; row: number }
/** An assignment at the earlier and at the later moment: its state, and whether it is in scope then. */
type Pair = { was: Place | undefined; is: Place | undefined; wasInScope: boolean; isInScope: boolean }

/** The judgement that changes with the same facts and flags share. */
type Judged = {
  before: Bits
  after: Bits
  flags: Record<ChangeFlag, boolean>
  kinds: number
  causes: Record<ChangeCause, number>
}
type Told = { was: Place | undefined; is: Place | undefined; judged: Judged }

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
  const judge = await createPairJudge(memory, moments)
  const changed: Told[] = []
  const add = (pair: Pair): void => {
    const judged = judge(pair)
    if (judged !== null) changed.push({ was: pair.was, is: pair.is, judged })
  }
  const moving: Pair[] = []
  /** By number of the assignment, from 1 on. */
  const movingOf = new Uint32Array(memory.keys.size)
  for (const columns of [memory.open, memory.closed]) {
    const { classes, user, validTo, assignment } = columns
    const validFrom = columns.at.valid_from
    const [then, now] = [new Codes(before, columns), new Codes(after, columns)]
    const few = await findSeenRows(memory, columns, moments.after)
    await inSlices(few?.length ?? columns.size, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = few === undefined ? index : few[index]!
        const ended = validTo[row]!
        if (ended <= earlier) continue
        const began = validFrom[row]!
        const was = began <= earlier
        const is = began <= later && ended > later
        if ((!was && !is) || isSeen[user[row]!] === 0) continue
        const codeThen = was ? then.codeOf(row) : -1
        const codeNow = is ? now.codeOf(row) : -1
        const wasInScope = codeThen >= 0
        const isInScope = codeNow >= 0
        if (was && is) {
          // Most are of the same facts, or twice out of scope.
          if (codeThen === codeNow && (codeNow < 0 || then.kinds === now.kinds)) continue
          const place = { columns, row }
          add({ was: place, is: place, wasInScope, isInScope })
        } else if (classes[row] !== 3) {
          const number = assignment[row]!
          if (movingOf[number] === 0)
            movingOf[number] = moving.push({
              was: undefined,
              is: undefined,
              wasInScope: false,
              isInScope: false,
            })
          const pair = moving[movingOf[number]! - 1]!
          if (was) pair.was = { columns, row }
          else pair.is = { columns, row }
          pair.wasInScope ||= wasInScope
          pair.isInScope ||= isInScope
        }
      }
    })
  }
  await inSlices(moving.length, (from, to) => {
    for (let each = from; each < to; each++) {
      const pair = moving[each]!
      if (pair.wasInScope || pair.isInScope) add(pair)
    }
  })
  return changed
}

/** The codes of the selected rows; of all other rows -1. */
class Codes {
  private readonly rows: Uint32Array
  private readonly codes: Uint32Array
  readonly kinds: object | undefined
  private next = 0
  constructor(selections: readonly Selection[], columns: Columns) {
    const selection = selections.find((selection) => selection.columns === columns)
    this.rows = selection?.rows ?? new Uint32Array()
    this.codes = selection?.facts.codes ?? new Uint32Array()
    this.kinds = selection?.facts.kinds
  }
  /** Asked of rows in ascending order, as a selection has them. */
  codeOf(row: number): number {
    const { rows } = this
    while (this.next < rows.length && rows[this.next]! < row) this.next++
    return this.next < rows.length && rows[this.next] === row ? this.codes[this.next]! : -1
  }
}

const nothing: Bits = { low: 0, high: 0, days: NaN }
const none = 0
const differIn = (fact: Fact, a: Bits, b: Bits) => holds(fact, a) !== holds(fact, b)
const finalGrade = (1 << stateBits.graded) | (1 << stateBits.grade_known)
const gradeOf = (of: Place | undefined): number | null =>
  of === undefined || (of.columns.state[of.row]! & finalGrade) !== finalGrade
    ? null
    : of.columns.numbers.grade[of.row]!
const dueOf = (of: Place | undefined): number => of?.columns.at.due_date[of.row] ?? 0

/** `null`: nothing that is told. Pairs with the same facts and flags are judged once, where no more than these decides. */
async function createPairJudge(
  memory: Memory,
  { before, after }: Moments,
): Promise<(pair: Pair) => Judged | null> {
  const combinations = new Combinations()
  const factsThen = await judge(memory, before.scope, combinations)
  const factsNow = await judge(memory, after.scope, combinations)
  const toCause = createCauses(memory, before, after.scope)
  const memo = new Map<number, Judged>()
  const { asOf: earlier } = before.scope
  return ({ was, is, wasInScope: was_in_scope, isInScope: is_in_scope }) => {
    const then = was ? factsThen(was) : none
    const now = is ? factsNow(is) : none
    const clocked = is ? (is === was ? then : factsThen(is)) : then
    const gradeBefore = gradeOf(was)
    const gradeAfter = gradeOf(is)
    const is_other_grade = gradeBefore !== null && gradeAfter !== null && gradeBefore !== gradeAfter
    const is_due_moved = dueOf(was) !== dueOf(is)
    const isOtherwise = then !== now || is_other_grade || is_due_moved
    if (was_in_scope === is_in_scope && !isOtherwise) return null
    // In what moves, and in what time creates, the row itself has a say.
    const isMoved = was !== undefined && is !== undefined && was_in_scope !== is_in_scope
    const isPlain =
      !isMoved && (was !== undefined || !isCreatedByTime(is!, earlier)) && combinations.all.length < 2 ** 15
    const sides = Number(was !== undefined) + 2 * Number(is !== undefined) + 4 * Number(was_in_scope)
    const mask = sides + 8 * Number(is_in_scope) + 16 * Number(is_other_grade) + 32 * Number(is_due_moved)
    const key = ((then * 2 ** 15 + now) * 2 ** 15 + clocked) * 64 + mask
    const same = isPlain ? memo.get(key) : undefined
    if (same !== undefined) return same
    const [bitsBefore, bitsAfter] = [combinations.all[then]!, combinations.all[now]!]
    const flags = {
      was_there: was !== undefined,
      is_there: is !== undefined,
      was_in_scope,
      is_in_scope,
      is_due_moved,
      is_other_grade,
      is_passed_otherwise: differIn('passed', bitsBefore, bitsAfter),
    }
    const named = toKinds(flags, bitsBefore, bitsAfter)
    const change = { was, is, before: bitsBefore, after: bitsAfter, flags }
    const causes = toCause(change, named, combinations.all[clocked]!)
    const judged = { before: bitsBefore, after: bitsAfter, flags, kinds: named || other, causes }
    if (isPlain) memo.set(key, judged)
    return judged
  }
}

/** Combinations of facts by small numbers; the first is none at all. */
class Combinations {
  readonly all: Bits[] = [nothing]
  private readonly numbers = new Map([['0 0', none]])
  of(bits: Bits): number {
    const name = `${bits.low} ${bits.high}`
    let number = this.numbers.get(name)
    if (number === undefined) this.numbers.set(name, (number = this.all.push(bits) - 1))
    return number
  }
}

/** The facts of a state at the moment of a scope, as a number of combinations. */
async function judge(
  memory: Memory,
  scope: Scope,
  combinations: Combinations,
): Promise<(place: Place) => number> {
  const create = async (columns: Columns) => {
    const judge = await createJudge(columns, scope)
    const numberOf = onceACode(judge, (bits) => combinations.of(bits))
    return (row: number) => numberOf(judge.codeOf(row))
  }
  const [ofOpen, ofClosed] = [await create(memory.open), await create(memory.closed)]
  return ({ columns, row }) => (columns === memory.open ? ofOpen(row) : ofClosed(row))
}

function toKinds(flags: Judged['flags'], before: Bits, after: Bits): number {
  const isSo = (rule: ChangeRule): boolean => {
    if ('gained' in rule) return holds(rule.gained, after) && !holds(rule.gained, before)
    if ('lost' in rule) return holds(rule.lost, before) && !holds(rule.lost, after)
    if ('kept' in rule) return holds(rule.kept, before) && holds(rule.kept, after)
    if ('any' in rule) return rule.any.some((each) => flags[each])
    return 'is' in rule ? flags[rule.is] : !flags[rule.isNot]
  }
  let kinds = 0
  for (const [kind, rules] of allRules) if (rules.every(isSo)) kinds |= bitOf(kind)
  return kinds
}
const allRules = Object.entries(kindRules) as [ChangeKind, readonly ChangeRule[]][]
const timedFacts = Object.entries(byTime) as [ChangeKind, Fact][]

const isCreatedByTime = ({ columns: { at }, row }: Place, earlier: number): boolean =>
  at.created_at[row]! > earlier && at.life_started_at[row]! <= earlier

/** `clocked`: the facts of the later state with the clock held at the earlier moment. */
function createCauses(memory: Memory, before: InScope, scope: Scope) {
  const where = whereOf(scope)
  const rows = where.flatMap((each) => ('row' in each ? [each.row] : []))
  const filters = rows.filter((each) => !isOfPeople(each)).map((each) => compile<Cursor>(each, scope))
  const peopleThen = toPeople(memory, before)
  const ofPeople = rows.filter(isOfPeople).map((each) => compile(each, scope, peopleThen))
  const facts = where.flatMap((each) => ('fact' in each ? [each.fact] : []))
  const cursors = new Map([memory.open, memory.closed].map((columns) => [columns, new Cursor(columns)]))
  const fits = (tests: typeof filters, { columns, row }: Place) => {
    const cursor = cursors.get(columns)!
    cursor.row = row
    return tests.every((test) => test(cursor) !== 0)
  }
  const { asOf: earlier } = before.scope

  type Change = Pick<Told, 'was' | 'is'> & Pick<Judged, 'before' | 'after' | 'flags'>
  return (change: Change, named: number, clocked: Bits) => {
    const { was, is, before: bitsBefore, after: bitsAfter, flags } = change
    const isByTime = was === undefined && isCreatedByTime(is!, earlier)
    const bitsByClock = isByTime ? nothing : clocked
    const isTimed = (fact: Fact) =>
      differIn(fact, bitsBefore, bitsAfter) && !differIn(fact, bitsBefore, bitsByClock)
    const moved = named & moves
    let [byEvent, byAny] = [0, 0]
    if (moved !== 0) {
      const fitsLater = is !== undefined && fits(filters, is)
      const fitsPerson = fits(ofPeople, lastOf(change))
      const isIn = (bits: Bits) => fitsLater && fitsPerson && facts.every((each) => holds(each, bits))
      if ((isIn(bitsByClock) && !isByTime) !== flags.was_in_scope) byEvent = moved
      if (isIn(bitsAfter) !== flags.was_in_scope) byAny = moved
    }
    let time = byAny & ~byEvent
    if (isByTime) time |= named & bitOf('assigned')
    for (const [kind, fact] of timedFacts)
      if ((named & bitOf(kind)) !== 0 && isTimed(fact)) time |= bitOf(kind)
    const people = moved & ~(byEvent | byAny)
    let event = named & ~(time | people)
    if (named === 0) {
      // A change without a name may have two causes.
      const timed = toTimed(bitsBefore, bitsAfter, bitsByClock)
      if (timed.some) time |= other
      if (!timed.some || !timed.all) event |= other
    }
    return { event, time, people }
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

const toChangedMs = ({ was, is, judged: { causes } }: Told, asOf: number): number => {
  if (is === undefined) return Math.min(was!.columns.validTo[was!.row]!, asOf)
  if (causes.event !== 0) return is.columns.at.valid_from[is.row]!
  return (causes.time & bitOf('became_overdue')) === 0 ? 0 : Math.min(dueOf(is), asOf)
}

/** The newest change first, a page at a time. */
export async function findChanges(memory: Memory, moments: Moments, request: ChangesArgs) {
  const kindsOf = (mask: number) => changeKinds.filter((kind) => (mask & bitOf(kind)) !== 0)
  const mask = (request.kinds.length === 0 ? changeKinds : request.kinds).reduce(
    (bits, kind) => bits | bitOf(kind),
    0,
  )
  const causes = request.causes.length === 0 ? changeCauses : request.causes
  const { asOf } = moments.after.scope
  type Key = { change: Told; changed_ms: number }
  const akeyOf = ({ change }: Key): bigint => lastOf(change).columns.keyOf(lastOf(change).row)
  const byKey = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b))
  const compare = (a: Key, b: Key) => b.changed_ms - a.changed_ms || byKey(akeyOf(a), akeyOf(b))
  const isAfter = (key: Key): boolean => {
    const [last, behind] = [request.after, (request.after?.changed_ms ?? 0) - key.changed_ms]
    return last === null || behind > 0 || (behind === 0 && byKey(akeyOf(key), BigInt(last.akey)) > 0)
  }
  const page = createFirst<Key>(compare, request.limit)
  let total = 0
  const all = await tell(memory, moments)
  await inSlices(all.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const change = all[index]!
      if (!causes.some((cause) => (change.judged.causes[cause] & mask) !== 0)) continue
      total++
      const key = { change, changed_ms: toChangedMs(change, asOf) }
      if (isAfter(key)) page.add(key)
    }
  })
  const changes = page.all().map((key) => {
    const { was, is, judged } = key.change
    const { flags, causes: by, before, after } = judged
    const kinds = kindsOf(judged.kinds)
    return {
      ...lastOf(key.change).columns.idsOf(lastOf(key.change).row),
      akey: String(akeyOf(key)),
      changed_ms: key.changed_ms,
      before: toSide(was, flags.was_in_scope, before),
      after: toSide(is, flags.is_in_scope, after),
      kinds,
      reasons: kinds.map((kind) => ({
        kind,
        causes: changeCauses.filter((cause) => (by[cause] & bitOf(kind)) !== 0),
      })),
      causes: changeCauses.filter((cause) => by[cause] !== 0),
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
  const { names } = memory.challenges
  const counts = changeKinds.map((kind) => ({
    kind,
    n: 0,
    causes: changeCauses.map(() => 0),
    bySet: new Uint32Array(sets.length),
    byChallenge: new Uint32Array(names.length),
  }))
  const changes = await tell(memory, moments)
  await inSlices(changes.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const { kinds, causes } = changes[index]!.judged
      const { columns, row } = lastOf(changes[index]!)
      for (let bit = 0; bit < counts.length; bit++) {
        if (((kinds >>> bit) & 1) === 0) continue
        const count = counts[bit]!
        count.n++
        count.bySet[ofUser[columns.user[row]!]!]!++
        count.byChallenge[columns.challenge[row]!]!++
        for (let at = 0; at < changeCauses.length; at++)
          count.causes[at]! += (causes[changeCauses[at]!] >>> bit) & 1
      }
    }
  })
  return {
    total: changes.length,
    kinds: counts
      .filter(({ n }) => n > 0)
      .map(({ kind, n, causes, bySet, byChallenge }) => ({
        kind,
        n,
        causes: Object.fromEntries(
          changeCauses.map((cause, at) => [cause, causes[at]]),
        ) as ChangeCount['causes'],
        by_team: toGroups(bySet, (set) => (sets[set]!.length === 0 ? [''] : sets[set]!)),
        by_challenge: toGroups(byChallenge, (challenge) => [names[challenge]!]),
      })),
  }
}

/** Most first. */
function toGroups(counts: Uint32Array, idsOf: (number: number) => readonly string[]) {
  const sums = new Map<string, number>()
  for (const [number, n] of counts.entries())
    if (n > 0) for (const id of idsOf(number)) sums.set(id, (sums.get(id) ?? 0) + n)
  return [...sums].map(([id, n]) => ({ id, n })).sort((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1))
}
