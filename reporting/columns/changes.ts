/**
 * What changed between two moments, from columns in memory: the states of both, paired by the key of the assignment. Rules, kinds and causes
 * are those of `statements/changes.ts`.
 */
import { holds, toDecimal, type Bits, type Fact } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { compile } from '../read/evaluate.ts'
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
  type ChangeCounted,
  type Changed,
  type ChangeFlag,
  type ChangeKind,
  type ChangeRule,
  type ChangesArgs,
} from '../statements/changes.ts'
import { isOfPeople } from '../statements/versions.ts'
import type { Columns } from './columns.ts'
import { Cursor } from './cursor.ts'
import { createJudge } from './kinds.ts'
import { findOnce, type Memory } from './memory.ts'
import { toSets } from './rankings.ts'
import { createSeen, select, toPeople, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'

type Place = { columns: Columns; row: number }
/** An assignment at the earlier and at the later moment: its state, and whether it is in scope then. */
type Pair = { places: [was: Place | undefined, is: Place | undefined]; members: [boolean, boolean] }

type Told = {
  was: Place | undefined
  is: Place | undefined
  /** The later state, or the earlier one where there is none. */
  last: Place
  before: Bits
  after: Bits
  flags: Record<ChangeFlag, boolean>
  kinds: number
  causes: Record<ChangeCause, number>
}

export type Moments = { before: InScope; after: InScope }

async function findPairs(memory: Memory, { before, after }: Moments): Promise<Pair[]> {
  const [earlier, later] = [before.scope.asOf, after.scope.asOf]
  const isSeen = createSeen(memory, after)
  const [then, now] = [await select(memory, before), await select(memory, after)]
  const same: Pair[] = []
  const moving = new Map<bigint, Pair>()
  for (const columns of [memory.open, memory.closed]) {
    const { classes, user, validTo, at } = columns
    const [codesThen, codesNow] = [toCodes(then, columns), toCodes(now, columns)]
    await inSlices(columns.size, (from, to) => {
      for (let row = from; row < to; row++) {
        const [began, ended] = [at.valid_from[row]!, validTo[row]!]
        const [was, is] = [began <= earlier && ended > earlier, began <= later && ended > later]
        if (!(was || is) || classes[row] === 3) continue
        const [codeThen, codeNow] = [codesThen[row]!, codesNow[row]!]
        if (was && is) {
          if (codeThen === codeNow) continue
          const place = { columns, row }
          same.push({ places: [place, place], members: [codeThen !== 0, codeNow !== 0] })
        } else if (isSeen(user[row]!)) {
          const key = columns.keyOf(row)
          let pair = moving.get(key)
          if (pair === undefined) moving.set(key, (pair = { places: [undefined, undefined], members: [false, false] }))
          const side = was ? 0 : 1
          pair.places[side] = { columns, row }
          pair.members[side] = (was ? codeThen : codeNow) !== 0
        }
      }
    })
  }
  return [...same, ...moving.values()].filter(({ members }) => members[0] || members[1])
}

/** By row, from 1 on; 0: it is not in scope. */
function toCodes(selections: readonly Selection[], columns: Columns): Uint32Array {
  const codes = new Uint32Array(columns.size)
  const own = selections.find((selection) => selection.columns === columns)
  own?.rows.forEach((row, index) => (codes[row] = own.facts.codes[index]! + 1))
  return codes
}

const nothing: Bits = { low: 0, high: 0, days: NaN }
const differ = (a: Bits, b: Bits) => a.low !== b.low || a.high !== b.high
const differIn = (fact: Fact, a: Bits, b: Bits) => holds(fact, a) !== holds(fact, b)
const finalGrade = (1 << stateBits.graded) | (1 << stateBits.grade_known)
const gradeOf = (of: Place | undefined): number | null =>
  of === undefined || (of.columns.state[of.row]! & finalGrade) !== finalGrade ? null : of.columns.grade[of.row]!
const dueOf = (of: Place | undefined): number => of?.columns.at.due_date[of.row] ?? 0
const userOf = ({ columns, row }: Place): number => columns.user[row]!

/** What changed, each with its kinds and their causes. */
function tell(memory: Memory, moments: Moments): Promise<readonly Told[]> {
  return findOnce(memory, 'changes', moments, () => tellAnew(memory, moments))
}

async function tellAnew(memory: Memory, moments: Moments): Promise<Told[]> {
  const { before, after } = moments
  const pairs = await findPairs(memory, moments)
  const [factsThen, factsNow] = [await judge(memory, before.scope), await judge(memory, after.scope)]
  const toCause = createCauses(memory, before, after.scope)
  const told: Told[] = []
  await inSlices(pairs.length, (from, to) => {
    for (const {
      places: [was, is],
      members: [was_in_scope, is_in_scope],
    } of pairs.slice(from, to)) {
      const [bitsBefore, bitsAfter] = [was ? factsThen(was) : nothing, is ? factsNow(is) : nothing]
      const [gradeBefore, gradeAfter] = [gradeOf(was), gradeOf(is)]
      const is_other_grade = gradeBefore !== null && gradeAfter !== null && gradeBefore !== gradeAfter
      const is_due_moved = dueOf(was) !== dueOf(is)
      const isOtherwise = differ(bitsBefore, bitsAfter) || is_other_grade || is_due_moved
      if (was_in_scope === is_in_scope && !isOtherwise) continue
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
      const change = { was, is, last: (is ?? was)!, before: bitsBefore, after: bitsAfter, flags }
      const causes = toCause(change, named, is ? factsThen(is) : bitsBefore)
      told.push({ ...change, kinds: named || other, causes })
    }
  })
  return told
}

/** The facts of a state at the moment of a scope. */
async function judge({ open, closed }: Memory, scope: Scope): Promise<(place: Place) => Bits> {
  const [ofOpen, ofClosed] = [await createJudge(open, scope), await createJudge(closed, scope)]
  return ({ columns, row }) => {
    const { of, codeOf } = columns === open ? ofOpen : ofClosed
    return of(codeOf(row))
  }
}

function toKinds(flags: Told['flags'], before: Bits, after: Bits): number {
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

  return (change: Pick<Told, 'was' | 'is' | 'last' | 'before' | 'after' | 'flags'>, named: number, clocked: Bits) => {
    const { was, is, last, before: bitsBefore, after: bitsAfter, flags } = change
    const created = is && !was ? is.columns.at.created_at[is.row]! : 0
    const isCreatedByTime = created > earlier && is!.columns.at.life_started_at[is!.row]! <= earlier
    const held = isCreatedByTime ? nothing : clocked
    const isTimed = (fact: Fact) => differIn(fact, bitsBefore, bitsAfter) && !differIn(fact, bitsBefore, held)
    const moved = named & moves
    let [byEvent, byAny] = [0, 0]
    if (moved !== 0) {
      const fitsLater = is !== undefined && fits(filters, is)
      const fitsPerson = fits(ofPeople, last)
      const isIn = (bits: Bits) => fitsLater && fitsPerson && facts.every((each) => holds(each, bits))
      if ((isIn(held) && !isCreatedByTime) !== flags.was_in_scope) byEvent = moved
      if (isIn(bitsAfter) !== flags.was_in_scope) byAny = moved
    }
    let time = byAny & ~byEvent
    if (isCreatedByTime) time |= named & bitOf('assigned')
    for (const [kind, fact] of timedFacts) if ((named & bitOf(kind)) !== 0 && isTimed(fact)) time |= bitOf(kind)
    const people = moved & ~(byEvent | byAny)
    let event = named & ~(time | people)
    if (named === 0) {
      // What has no name may have two causes.
      const timed = toTimed(bitsBefore, bitsAfter, held)
      if (timed.some) time |= other
      if (!timed.some || !timed.all) event |= other
    }
    return { event, time, people }
  }
}

/** Whether some of the facts that differ, and all of them, would not with the clock held. */
function toTimed(before: Bits, after: Bits, held: Bits): { some: boolean; all: boolean } {
  const [low, high] = [before.low ^ after.low, before.high ^ after.high]
  const [lowHeld, highHeld] = [before.low ^ held.low, before.high ^ held.high]
  return {
    some: ((low & ~lowHeld) | (high & ~highHeld)) !== 0,
    all: ((low & lowHeld) | (high & highHeld)) === 0,
  }
}

export type AskedChanges = Pick<ChangesArgs, 'kinds' | 'causes' | 'after' | 'limit'>

const toChangedMs = ({ was, is, causes }: Told, asOf: number): number => {
  if (is === undefined) return was!.columns.validTo[was!.row]!
  if (causes.event !== 0) return is.columns.at.valid_from[is.row]!
  return (causes.time & bitOf('became_overdue')) === 0 ? 0 : Math.min(dueOf(is), asOf)
}

/** The newest change first, a page at a time, as the statement. */
export async function findChanges(memory: Memory, moments: Moments, asked: AskedChanges): Promise<Changed[]> {
  const mask = (asked.kinds.length === 0 ? changeKinds : asked.kinds).reduce((bits, kind) => bits | bitOf(kind), 0)
  const causes = asked.causes.length === 0 ? changeCauses : asked.causes
  const told = (await tell(memory, moments)).filter((each) => causes.some((cause) => (each.causes[cause] & mask) !== 0))
  const { asOf } = moments.after.scope
  const keyed = told.map((each) => ({
    ...each,
    akey: each.last.columns.keyOf(each.last.row),
    changed_ms: toChangedMs(each, asOf),
  }))
  type Key = { changed_ms: number; akey: bigint }
  const compare = (a: Key, b: Key) => b.changed_ms - a.changed_ms || (a.akey < b.akey ? -1 : a.akey > b.akey ? 1 : 0)
  const last = asked.after && { changed_ms: asked.after.changed_ms, akey: BigInt(asked.after.akey) }
  const page = keyed.filter((each) => last === null || compare(each, last) > 0).sort(compare)
  return page
    .slice(0, asked.limit)
    .map(({ akey, was, is, last, before, after: bits, flags, kinds, causes: by, changed_ms }) => ({
      ...last.columns.idsOf(last.row),
      akey: String(akey),
      changed_ms,
      was_there: flags.was_there,
      is_there: flags.is_there,
      facts_before: toDecimal(before),
      facts_after: toDecimal(bits),
      due_before: dueOf(was),
      due_after: dueOf(is),
      grade_before: gradeOf(was),
      grade_after: gradeOf(is),
      was_in_scope: flags.was_in_scope,
      is_in_scope: flags.is_in_scope,
      kinds,
      by_event: by.event,
      by_time: by.time,
      by_people: by.people,
      total: told.length,
    }))
}

/** By kind, and of each kind by cause, challenge and team; kind 14 is all of them. */
export async function countChanges(memory: Memory, moments: Moments): Promise<ChangeCounted[]> {
  const { sets, ofUser } = toSets(memory, moments.after.scope, 'team')
  const counts = new Map<string, ChangeCounted>()
  const add = (kind: number, dimension: ChangeCounted['dimension'], number: number, ids: string[]) => {
    const key = `${kind} ${dimension} ${number}`
    const own = counts.get(key)
    if (own === undefined) counts.set(key, { kind, dimension, ids, n: 1 })
    else own.n++
  }
  for (const { kinds, causes, last } of await tell(memory, moments)) {
    const [challenge, set] = [last.columns.challenge[last.row]!, ofUser[userOf(last)]!]
    const own = [...changeKinds.keys()].filter((kind) => (kinds & (1 << kind)) !== 0)
    for (const kind of [...own, changeKinds.length]) {
      add(kind, 'all', 0, [])
      add(kind, 'challenge', challenge, [memory.challenges.names[challenge]!])
      add(kind, 'team', set, sets[set]!)
      for (const [at, cause] of changeCauses.entries())
        if ((causes[cause] & (1 << kind)) !== 0) add(kind, 'cause', at, [cause])
    }
  }
  return [...counts.values()]
}
