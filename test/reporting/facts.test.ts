/** The table of facts and the filters in memory beside the store: every bit of every row, and every row that a filter leaves. */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { instants } from '../../reporting/columns/columns.ts'
import { compile, compileFacts, type Version } from '../../reporting/expressions/evaluate.ts'
import { raw, sql, toQuery } from '../../reporting/expressions/sql.ts'
import { daysSinceDue } from '../../reporting/expressions/store-sql.ts'
import { toViewCondition } from '../../reporting/expressions/view-sql.ts'
import { toSeen } from '../../reporting/read/statement.ts'
import { whereOf } from '../../reporting/scope/filters.ts'
import { allFacts, primaryBitsOf } from '../../reporting/statements/bits.ts'
import { asOf as asOfScope, versions } from '../../reporting/statements/versions.ts'
import { factBits, holds, toDecimal, toFactMask, type Fact } from '../../schemas/metrics/facts.ts'
import { sampleHistory } from '../model/arbitrary/apart.ts'
import { scopeArb } from '../model/arbitrary/scope.ts'
import { createScope, type Scope } from '../model/scope.ts'
import { loadHistory } from '../support/data/history.ts'
import { openTestStore } from '../support/store/store.ts'
import { pickCases } from '../support/thorough.ts'

const store = await openTestStore()
await loadHistory(store.writer, sampleHistory(60, 4), 1_000)
afterAll(() => store.close())

type Row = Version & { assignment_id: string; facts: string }

/** Those that a column of the views says. */
const hidden = /^(deleted|passed|reported_on_time.*|percentage_minus_one)$/
const shown = Object.entries(factBits).filter(([fact]) => !hidden.test(fact)) as [Fact, number][]
const shownMask = BigInt(toFactMask(shown.map(([fact]) => fact)))

/** By the columns of the printed view, which has everybody. */
async function readView({
  asOf,
  dueEnd,
  dueZone,
  dueSoonDays,
}: Scope): Promise<Pick<Row, 'assignment_id' | 'facts'>[]> {
  const facts = shown.map(([fact, bit]) => `if(${toViewCondition(fact)}, bitShiftLeft(toUInt64(1), ${bit}), 0)`)
  const key = dueEnd === 'instant' ? 'moment' : `toDate(moment, '${dueZone}')`
  return store.rows(
    `WITH fromUnixTimestamp64Milli({ms:Int64}, 'UTC') AS as_of, (moment -> ${key}) AS due_key
     SELECT assignment_id, ${facts.join(' + ')} AS facts
     FROM rollcall.assignments_all_as_of(as_of = as_of, due_zone = {due_zone:String}, due_end = {due_end:String}, due_soon_days = {due_soon_days:UInt16})
     ORDER BY assignment_id`,
    { ms: asOf, due_zone: dueZone, due_end: dueEnd, due_soon_days: dueSoonDays },
  )
}

/** By the SQL of statements, with the filters of the scope. */
async function readRows(scope: Scope): Promise<Row[]> {
  const columns = ['assignment_id', 'user_id', 'challenge_id', 'class', 'state', ...instants, 'sign'].join(', ')
  const times = instants.map((at) => `toUnixTimestamp64Milli(${at}) AS ${at}_ms`)
  const { query, query_params } = toQuery(sql`WITH ${asOfScope(scope)}
    SELECT assignment_id, ${allFacts(scope.dueSoonDays)} AS facts, class, state, user_id, challenge_id, ${raw(times.join(', '))}
    FROM (SELECT *, ${primaryBitsOf(scope)} AS bits, ${daysSinceDue(scope)} AS days FROM (${versions({ scope, under: [] }, toSeen(null), columns)}))
    GROUP BY ALL HAVING sum(sign) > 0 ORDER BY assignment_id`)
  const rows = await store.rows(query, query_params)
  const toEntry = ([name, of]: [string, unknown]) =>
    name.endsWith('_ms') ? [name.slice(0, -3), Number(of)] : [name, of]
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(toEntry)) as Row)
}

/** West of Greenwich, too. */
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']
// Who is in a team, under a manager, or has an attribute, is asked of the store.
const apart = { team: [], manager: [], attribute: [], without: [] }
const asked = fc.sample(scopeArb(), { numRuns: 8, seed: 8 }).map((scope, n): Scope => {
  return { ...scope, ...apart, timeZone: zones[n % 4] ?? '', dueZone: zones[(3 * n + 1) % 4] ?? '' }
})

const seen = new Set<string>()

test('the facts computed in memory, printed as a view and by a statement are the same, row by row', async () => {
  for (const { asOf, now, timeZone, dueZone, dueEnd, dueSoonDays } of asked) {
    const scope = createScope(asOf, { now, timeZone, dueZone, dueEnd, dueSoonDays, includeLeavers: true })
    const factsOf = compileFacts(scope, dueSoonDays)
    const rows = await readRows(scope)
    const ofView = rows.map(({ assignment_id, facts }) => ({ assignment_id, facts: `${BigInt(facts) & shownMask}` }))
    expect(await readView(scope)).toEqual(ofView)
    for (const row of rows) {
      const bits = factsOf(row)
      for (const [fact, bit] of Object.entries(factBits)) if ((BigInt(row.facts) >> BigInt(bit)) & 1n) seen.add(fact)
      expect({ scope, row, facts: toDecimal(bits) }).toEqual({ scope, row, facts: row.facts })
    }
  }
  expect(Object.keys(factBits).filter((fact) => !seen.has(fact))).toEqual(['deleted'])
})

test('the filters leave in memory what they leave in the store', async () => {
  let [kept, left] = [0, 0]
  for (const scope of pickCases(asked, 2)) {
    const factsOf = compileFacts(scope, scope.dueSoonDays)
    const tests = whereOf(scope).flatMap((where) => {
      // Who has left, the store is asked for as well.
      if ('row' in where && where.isNamed === true) return []
      if ('fact' in where) return [(row: Row) => holds(where.fact, factsOf(row))]
      const isSo = compile(where.row, scope)
      return [(row: Row) => isSo(row) === 1]
    })
    const { asOf, now, timeZone, dueZone, dueEnd, dueSoonDays, includeLeavers } = scope
    const all = await readRows(createScope(asOf, { now, timeZone, dueZone, dueEnd, dueSoonDays, includeLeavers }))
    const found = all.filter((row) => tests.every((passes) => passes(row))).map(({ assignment_id }) => assignment_id)
    expect({ scope, found }).toEqual({ scope, found: (await readRows(scope)).map((row) => row.assignment_id) })
    if (tests.length > 0) kept += found.length
    if (tests.length > 0) left += all.length - found.length
  }
  expect(Math.min(kept, left)).toBeGreaterThan(5)
})
