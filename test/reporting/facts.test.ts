/** The table of facts in memory beside the analysts' views: every fact of every row. */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { compileFacts, type Version } from '../../reporting/expressions/evaluate.ts'
import { toViewCondition } from '../../reporting/expressions/view-sql.ts'
import { factBits, toBits, type Bits, type Fact } from '../../schemas/metrics/facts.ts'
import { instants, versionColumns } from '../../schemas/metrics/version.ts'
import { sampleHistory } from '../model/arbitrary/apart.ts'
import { scopeArb } from '../model/arbitrary/scope.ts'
import { createScope, type Scope } from '../model/scope.ts'
import { loadHistory } from '../support/data/history.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
await loadHistory(store.writer, sampleHistory(60, 4), 1_000)
afterAll(() => store.close())

type Row = Version & { assignment_id: string }
type ViewRow = { assignment_id: string; facts: string }

/** Those that a column of the views says. */
const hidden = /^(deleted|passed|reported_on_time.*|percentage_minus_one)$/
const shown = Object.entries(factBits).filter(([fact]) => !hidden.test(fact)) as [Fact, number][]
const toWhole = ({ low, high }: Bits) => (BigInt(high) << 32n) | BigInt(low)
const shownMask = toWhole(toBits(shown.map(([fact]) => fact)))

/** By the columns of the printed view, which has everybody. */
async function readView({ asOf, dueEnd, dueZone, dueSoonDays }: Scope): Promise<ViewRow[]> {
  const facts = shown.map(
    ([fact, bit]) => `if(${toViewCondition(fact)}, bitShiftLeft(toUInt64(1), ${bit}), 0)`,
  )
  const key = dueEnd === 'instant' ? 'moment' : `toDate(moment, '${dueZone}')`
  return store.rows(
    `WITH fromUnixTimestamp64Milli({ms:Int64}, 'UTC') AS as_of, (moment -> ${key}) AS due_key
     SELECT assignment_id, ${facts.join(' + ')} AS facts
     FROM rollcall.assignments_all_as_of(as_of = as_of, due_zone = {due_zone:String}, due_end = {due_end:String}, due_soon_days = {due_soon_days:UInt16})
     ORDER BY assignment_id`,
    { ms: asOf, due_zone: dueZone, due_end: dueEnd, due_soon_days: dueSoonDays },
  )
}

/** The stored versions at an instant. */
async function readRows(asOf: number): Promise<Row[]> {
  const columns = ['assignment_id', 'user_id', 'challenge_id', 'class', 'state']
  const times = instants.map((at) => `toUnixTimestamp64Milli(${at}) AS ${at}_ms`)
  const of = (table: string) =>
    `SELECT *, sign FROM rollcall.${table} WHERE valid_from <= as_of AND valid_to > as_of AND class != 3`
  const rows = await store.rows(
    `WITH fromUnixTimestamp64Milli({ms:Int64}, 'UTC') AS as_of
     SELECT ${[...columns, ...times].join(', ')} FROM (${of('open_versions')} UNION ALL ${of('closed_versions')})
     GROUP BY ALL HAVING sum(sign) > 0 ORDER BY assignment_id`,
    { ms: asOf },
  )
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

test.each(['open_versions', 'closed_versions'])(
  '%s has the columns of the table of versions',
  async (table) => {
    const rows = await store.rows(
      `SELECT name FROM system.columns WHERE database = 'rollcall' AND table = '${table}'`,
    )
    const declared = [...Object.keys(versionColumns), 'akey', 'sign', 'img']
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(declared))
  },
)

const seen = new Set<string>()

test('computes in memory the facts that the views have, row by row', async () => {
  for (const { asOf, now, timeZone, dueZone, dueEnd, dueSoonDays } of asked) {
    const scope = createScope(asOf, { now, timeZone, dueZone, dueEnd, dueSoonDays, includeLeavers: true })
    const factsOf = compileFacts(scope, dueSoonDays)
    const rows = (await readRows(asOf)).map((row) => ({ row, facts: toWhole(factsOf(row)) }))
    for (const { facts } of rows)
      for (const [fact, bit] of Object.entries(factBits)) if ((facts >> BigInt(bit)) & 1n) seen.add(fact)
    const expected = rows.map(({ row, facts }) => ({
      assignment_id: row.assignment_id,
      facts: `${facts & shownMask}`,
    }))
    expect({ scope, rows: await readView(scope) }).toEqual({ scope, rows: expected })
  }
  expect(Object.keys(factBits).filter((fact) => !seen.has(fact))).toEqual(['deleted'])
})
