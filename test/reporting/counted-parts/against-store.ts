/**
 * Counts that are kept say what the store says: random histories come in, parts are merged and rewritten, and the clock goes forward
 * and back. The store's own answer is compared with the model in `against-model.ts`.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Blocks, NumberBlocks } from '../../../reporting/metrics/blocks.ts'
import { createCountedParts, type CountedParts } from '../../../reporting/metrics/counted-parts/counted-parts.ts'
import { readBlocks } from '../../../reporting/metrics/read-blocks.ts'
import { factBits } from '../../../schemas/metrics/facts.ts'
import { setApart } from '../../model/arbitrary/apart.ts'
import { historyArb, type History } from '../../model/arbitrary/history.ts'
import { instantArb } from '../../model/arbitrary/instants.ts'
import { zones } from '../../model/arbitrary/scope.ts'
import { createScope, type Scope } from '../../model/scope.ts'
import { loadHistory } from '../../support/data/history.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'
import { toComparable } from '../oracle/read-blocks.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

type Step =
  | { kind: 'load'; deliveries: number }
  | { kind: 'merge'; final: boolean }
  | { kind: 'erase'; user: string }
  | { kind: 'clear' }
  | { kind: 'ask' }

const stepArb: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constant('load' as const), deliveries: fc.integer({ min: 1, max: 150 }) }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant('merge' as const), final: fc.boolean() }), weight: 3 },
  {
    arbitrary: fc.record({ kind: fc.constant('erase' as const), user: fc.constantFrom('7', 'u-2.1', 'u-3.2') }),
    weight: 1,
  },
  { arbitrary: fc.constant({ kind: 'clear' as const }), weight: 1 },
  { arbitrary: fc.constant({ kind: 'ask' as const }), weight: 4 },
)

const historiesPerStore = 20

export function testCountedParts(runs: number, seed: number): void {
  let store: TestStore
  /** Kept over all runs: what it holds of one store must never be said of the next. */
  const counted = new Map<string, CountedParts>()
  let answered = 0
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(() => store.close())

  function toCounted(timeZone: string, dueZone: string, mostRowsSingly: number): CountedParts {
    const key = `${timeZone} ${dueZone} ${mostRowsSingly}`
    const known = counted.get(key) ?? createCountedParts(ownReader(store.reader), { timeZone, dueZone, mostRowsSingly })
    counted.set(key, known)
    return known
  }

  async function take(step: Step, left: History): Promise<History> {
    switch (step.kind) {
      case 'load': {
        const people = Math.ceil(step.deliveries / 10)
        const now = {
          deliveries: left.deliveries.slice(0, step.deliveries),
          pulledUsers: left.pulledUsers.slice(0, people),
        }
        await loadHistory(store.writer, now, 1_000)
        return { deliveries: left.deliveries.slice(step.deliveries), pulledUsers: left.pulledUsers.slice(people) }
      }
      case 'merge':
        await store.writer.command({ query: `OPTIMIZE TABLE rollcall.open_versions ${step.final ? 'FINAL' : ''}` })
        return left
      case 'erase':
        for (const table of ['open_versions', 'closed_versions']) {
          const query = `ALTER TABLE rollcall.${table} DELETE WHERE user_id = {user:String} SETTINGS mutations_sync = 1`
          await store.writer.command({ query, query_params: { user: step.user } })
        }
        return left
      case 'clear':
        await store.clear()
        return left
      case 'ask':
        return left
    }
  }

  async function compare(scope: Scope, detail: 'metrics' | 'overview', mostRowsSingly: number): Promise<void> {
    const kept = await toCounted(scope.timeZone, scope.dueZone, mostRowsSingly).read(scope, detail)
    if (kept === undefined) return
    answered++
    const direct = await readBlocks(ownReader(store.reader), scope, detail)
    expect({ scope, detail, blocks: toNumbers(kept) }).toEqual({ scope, detail, blocks: toNumbers(direct) })
  }

  test(
    'counts that are kept say what the store says, whatever comes in, is merged or is rewritten',
    { timeout: 0 },
    async () => {
      const momentArb = fc.tuple(instantArb, fc.constantFrom('metrics' as const, 'overview' as const))
      const property = fc.asyncProperty(
        fc.array(historyArb({ maxEvents: 24 }), { minLength: historiesPerStore, maxLength: historiesPerStore }),
        fc.array(fc.tuple(stepArb, momentArb), { minLength: 12, maxLength: 24 }),
        fc.constantFrom(...zones),
        fc.constantFrom(...zones),
        // None, some and all rows are added up by the engine.
        fc.constantFrom(0, 40, 5_000),
        async (given, steps, timeZone, dueZone, mostRowsSingly) => {
          const histories = given.map(setApart)
          let left: History = {
            deliveries: histories.flatMap(({ deliveries }) => deliveries),
            pulledUsers: histories.flatMap(({ pulledUsers }) => pulledUsers),
          }
          await store.clear()
          for (const [step, [asOf, detail]] of steps) {
            left = await take(step, left)
            await compare(createScope(asOf, { timeZone, dueZone }), detail, mostRowsSingly)
          }
        },
      )
      await fc.assert(property, { numRuns: runs, seed, endOnFailure: process.env.METRICS_SHRINK === undefined })
      expect(answered).toBeGreaterThan(runs)
    },
  )
}

/** Whether a grade is late matters, and is kept, only where one is awaited. A day that counts nothing says nothing. */
function toNumbers({ facts, days, ...others }: NumberBlocks & Partial<Blocks>): unknown {
  const { complete_through: _through, names: _names, is_sample: _sample, received: _received, ...numbers } = others
  const sums = new Map<string, number>()
  for (const [text, n] of facts) {
    const bits = BigInt(text)
    const isAwaiting = (bits >> BigInt(factBits.awaiting_grading)) & 1n
    const key = (isAwaiting ? bits : bits & ~(1n << BigInt(factBits.reviewers_late))).toString()
    sums.set(key, (sums.get(key) ?? 0) + n)
  }
  const counted: Blocks['facts'] = [...sums]
  return toComparable({ ...numbers, facts: counted, days: days.filter(([, , n]) => n !== 0) })
}
