/**
 * The proof of the numbers: random histories go through the real consumer into a real store, and every metric and every row
 * at random instants, scopes and zones must be what an independent reading of METRICS.md computes from the raw bodies.
 *
 * Many histories share a store, each with people and challenges of its own: a question costs the engine the same for one as
 * for all of them. Some of the questions ask, by their filters, for one of the histories.
 *
 * More of them: METRICS_RUNS=5000 METRICS_SEED=7 npx vitest run test/reporting/against-model.test.ts
 * A failure is shown as it was found; METRICS_SHRINK=1 looks for a smaller one, which takes minutes.
 */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { storeSettings, toZoneSetting } from '../../services/clickhouse/stored-settings.ts'
import { joinApart, setScopeApart } from '../model/arbitrary/apart.ts'
import { historyArb, type History } from '../model/arbitrary/history.ts'
import { scopeArb } from '../model/arbitrary/scope.ts'
import { computeAssignments, computeMetrics } from '../model/model.ts'
import { createScope, type Scope } from '../model/scope.ts'
import { loadHistory } from '../support/data/history.ts'
import { openTestStore } from '../support/store/store.ts'
import { readAllRows, readViewRows, toModelRow } from './rows.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { isComplete, isLong } from '../support/tiers.ts'

const seed = Number(process.env.METRICS_SEED ?? 2026)

/** Sums of fractions may differ in the last digit by their order. */
function rounded<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(12)) : each,
    ),
  ) as Value
}

/** The short run has the first histories; the long one takes more of them, where it is asked to. */
const isAsked = !isLong || isComplete || process.env.METRICS_RUNS !== undefined
/** How many histories. */
const runs = isLong ? Number(process.env.METRICS_RUNS ?? 150) : 15
/** How many questions are asked of each store of fifty histories, or of all where they are fewer. */
const scopesPerStore = isLong ? 15 : 2
/** Of their deliveries; a batch costs the same, however small. */
const fewestPerBatch = isLong ? 20 : 200
const historiesPerStore = Math.min(runs, 50)

const store = await openTestStore()
const source = openSource(store.reader, store.streamer)
const memory = createMemory(source)
/** Both origins of rows: read for the question, and held in memory. */
const ways = [createMemory(source, { mostVersions: 0 }), memory].map((own) =>
  createQueries(ownReader(store.reader, own)),
)
afterAll(() => store.close())

/** The question comes first in the message of a failure. */
async function compare(history: History, scope: Scope, rowsPerPage: number): Promise<void> {
  const { deliveries, pulledUsers } = history
  expect(await memory.askHeld(async () => true)).toEqual({ answer: true })
  const expectedMetrics = rounded(computeMetrics(deliveries, scope, pulledUsers))
  const expected = computeAssignments(deliveries, scope, pulledUsers).map(
    ({ regrades: _regrades, ...row }) => row,
  )
  for (const queries of ways) {
    const { metrics } = await queries.metrics(scope)
    expect(metrics).toMatchObject(await queries.counts(scope))
    expect({ scope, ...rounded(metrics) }).toEqual({ scope, ...expectedMetrics })
    const { rows, total } = await readAllRows(queries, scope, rowsPerPage)
    expect({ scope, total, rows: rows.map(toModelRow) }).toEqual({
      scope,
      total: expected.length,
      rows: expected,
    })
  }
}

/**
 * The rows of an analyst, by the clock of the machine and with everybody who has left. Days follow the engine's time zones, and then Node's,
 * which are in the store.
 */
async function compareView(
  { deliveries, pulledUsers }: History,
  { asOf, dueZone, dueEnd, dueSoonDays }: Scope,
) {
  const scope = createScope(asOf, { now: Date.now(), dueZone, dueEnd, dueSoonDays, includeLeavers: true })
  const expected = computeAssignments(deliveries, scope, pulledUsers).map(
    ({ regrades: _regrades, ...row }) => row,
  )
  expect({ scope, rows: await readViewRows(store, scope) }).toEqual({ scope, rows: expected })
  await storeSettings(store.writer, toZoneSetting(dueZone))
  expect({ scope, rows: await readViewRows(store, scope) }).toEqual({ scope, rows: expected })
}

test.runIf(isAsked)(
  'every metric and every row is what METRICS.md says, for any history, instant, scope and zone',
  { timeout: 0 },
  async () => {
    const property = fc.asyncProperty(
      fc.array(historyArb({ maxEvents: 24 }), { minLength: historiesPerStore, maxLength: historiesPerStore }),
      fc.array(fc.tuple(fc.nat({ max: historiesPerStore - 1 }), scopeArb()), {
        minLength: scopesPerStore,
        maxLength: scopesPerStore,
      }),
      fc.integer({ min: fewestPerBatch, max: 400 }),
      fc.integer({ min: 20, max: 400 }),
      async (given, asked, batchSize, rowsPerPage) => {
        const all = joinApart(given)
        await store.clear()
        await loadHistory(store.writer, all, batchSize)
        await compareView(all, asked[0]?.[1] as Scope)
        for (const [number, scope] of asked) await compare(all, setScopeApart(scope, number), rowsPerPage)
      },
    )
    const numRuns = Math.max(1, Math.round(runs / historiesPerStore))
    await fc.assert(property, { numRuns, seed, endOnFailure: process.env.METRICS_SHRINK === undefined })
  },
)
