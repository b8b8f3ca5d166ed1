/**
 * Held rows give the answers that rows read for the question give: random histories come in, parts are merged and rewritten, tables are
 * cleared, and the clock goes forward and back. `against-model.test.ts` compares both with the model.
 */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { everybody, type Audience } from '../../../reporting/audience.ts'
import { readFor } from '../../../reporting/queries/read-for.ts'
import { createMemory } from '../../../reporting/columns/follow.ts'
import { openSource } from '../../../reporting/columns/source.ts'
import type { Blocks, Detail } from '../../../reporting/metrics/blocks.ts'
import { readBlocks } from '../../../reporting/statements/read-blocks.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { joinApart, setScopeApart } from '../../model/arbitrary/apart.ts'
import { historyArb, type History } from '../../model/arbitrary/history.ts'
import { scopeArb } from '../../model/arbitrary/scope.ts'
import { createScope, type Scope } from '../../model/scope.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { loadHistory } from '../../support/data/history.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { questions, toAnswerText } from '../golden/questions.ts'
import { openTestStore } from '../../support/store/store.ts'
import { isComplete, isLong } from '../../support/tiers.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

type Step =
  | { kind: 'load'; deliveries: number }
  | { kind: 'merge'; final: boolean; tables: string[] }
  | { kind: 'erase'; user: string }
  | { kind: 'twice' }
  | { kind: 'clear' }
  | { kind: 'ask' }

const stepArb: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('load' as const),
      deliveries: fc.integer({ min: 1, max: 150 }),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('merge' as const),
      final: fc.boolean(),
      tables: fc.subarray(['open_versions', 'closed_versions', 'user_versions'], { minLength: 1 }),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('erase' as const),
      user: fc.constantFrom('7', 'u-2.1', 'u-3.2'),
    }),
    weight: 1,
  },
  { arbitrary: fc.constant({ kind: 'twice' as const }), weight: 1 },
  { arbitrary: fc.constant({ kind: 'clear' as const }), weight: 1 },
  { arbitrary: fc.constant({ kind: 'ask' as const }), weight: 4 },
)

const historiesPerStore = 20
const narrow: Audience = {
  ...everybody,
  people: { under: ['1', '1001', '2002'], teams: ['t1', 't2.1'], teamsOf: [] },
}

/** The short run has one such run; the long one takes more of them, where it is asked to. */
const isAsked = !isLong || isComplete || process.env.METRICS_RUNS !== undefined
const numRuns = isLong ? Number(process.env.METRICS_RUNS ?? 10) : 1
const seed = isLong ? Number(process.env.METRICS_SEED ?? 2026) : 7
/** Steps of each run; it has up to twice as many. */
const fewest = isLong ? 12 : 5

const store = await openTestStore()
const createOwn = () =>
  createMemory(openSource(store.reader, store.streamer), {
    onError: (error) => {
      throw error
    },
  })
/** Kept over all runs: the rows that it holds of one store must never be said of the next. */
let memory = createOwn()
/** Reads rows for each question. */
const unheld = createMemory(openSource(store.reader, store.streamer), { mostVersions: 0 })
let [answered, asked] = [0, 0]
afterAll(() => store.close())

/** What two writers at once leave. */
async function writeTwice(user: string): Promise<void> {
  const own = 'SELECT * FROM rollcall.user_versions WHERE user_id = {user:String}'
  await store.writer.command({ query: `INSERT INTO rollcall.user_versions ${own}`, query_params: { user } })
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
      return {
        deliveries: left.deliveries.slice(step.deliveries),
        pulledUsers: left.pulledUsers.slice(people),
      }
    }
    case 'merge':
      for (const table of step.tables)
        await store.writer.command({ query: `OPTIMIZE TABLE rollcall.${table} ${step.final ? 'FINAL' : ''}` })
      return left
    case 'erase':
      for (const table of ['open_versions', 'closed_versions']) {
        const query = `ALTER TABLE rollcall.${table} DELETE WHERE user_id = {user:String} SETTINGS mutations_sync = 1`
        await store.writer.command({ query, query_params: { user: step.user } })
      }
      return left
    case 'twice': {
      const users = await store.rows<{ user_id: string }>(
        'SELECT DISTINCT user_id FROM rollcall.user_versions',
      )
      for (const { user_id } of users) await writeTwice(user_id)
      await memory.askHeld(async () => true)
      await createPeople(store.writer).mend(users.map(({ user_id }) => user_id))
      return left
    }
    case 'clear':
      await store.clear()
      return left
    case 'ask':
      return left
  }
}

async function compare(scope: Scope, detail: Detail, question: string, isNarrow: boolean) {
  asked++
  const said = (await memory.askHeld(async () => true)) !== undefined
  const held = await readBlocks(ownReader(store.reader, memory), scope, detail)
  const direct = await readBlocks(ownReader(store.reader, unheld), scope, detail)
  if (said) answered++
  expect({ scope, detail, blocks: toOwn(held) }).toEqual({ scope, detail, blocks: toOwn(direct) })
  const [fromHeld, fromRead] = [memory, unheld].map(async (own) => {
    const audience = isNarrow ? narrow : everybody
    const reader = readFor(store.reader, { audience: () => audience, memory: own, clock: () => scope.now })
    return toAnswerText(question, await questions[question]?.(createQueries(reader), scope, asked))
  })
  expect({ scope, question, isNarrow, answer: await fromHeld }).toEqual({
    scope,
    question,
    isNarrow,
    answer: await fromRead,
  })
}

test.runIf(isAsked)(
  'held rows give the answers of read rows, whatever comes in, is merged or is rewritten',
  { timeout: 0 },
  async () => {
    const momentArb = fc.tuple(
      fc.nat({ max: historiesPerStore - 1 }),
      fc.oneof(scopeArb({ filters: false }), scopeArb()),
      fc.constantFrom('metrics' as const, 'overview' as const, 'counts' as const),
      fc.constantFrom(...Object.keys(questions).filter((each) => each !== 'export')),
      fc.boolean(),
    )
    const property = fc.asyncProperty(
      fc.array(historyArb({ maxEvents: 24 }), { minLength: historiesPerStore, maxLength: historiesPerStore }),
      fc.array(fc.tuple(stepArb, momentArb), { minLength: fewest, maxLength: 2 * fewest }),
      async (given, steps) => {
        let left = joinApart(given)
        await store.clear()
        for (const [step, [number, scope, detail, question, isNarrow]] of steps) {
          // Reads while the step is taken, and while questions are asked.
          memory.renew()
          left = await take(step, left)
          memory.renew()
          await compare(setScopeApart(scope, number), detail, question, isNarrow)
        }
      },
    )
    await fc.assert(property, { numRuns, seed, endOnFailure: process.env.METRICS_SHRINK === undefined })
    // The others: while many rows are read.
    expect(answered).toBeGreaterThan(asked / 2)
  },
)

test('a store is held before its first event, and when only people are in it', async () => {
  ;[answered, asked] = [0, 0]
  await store.clear()
  memory = createOwn()
  const scope = createScope(Date.UTC(2026, 2, 1))
  const all = Object.keys(questions).filter((each) => each !== 'export')
  for (const question of all) await compare(scope, 'overview', question, false)
  expect([answered, asked]).toEqual([all.length, all.length])
  const [{ pulledUsers } = { pulledUsers: [] }] = fc.sample(
    historyArb({ maxEvents: 24 }).filter((each) => each.pulledUsers.length > 1),
    { numRuns: 1, seed: 7 },
  )
  await loadHistory(store.writer, { deliveries: [], pulledUsers }, 1_000)
  for (const question of all) await compare(scope, 'counts', question, true)
  expect([answered, asked]).toEqual([2 * all.length, 2 * all.length])
})

test('a version that two writers wrote, and that was mended, is gone when it is taken back', async () => {
  await store.clear()
  const scope = createScope(Date.UTC(2026, 2, 1))
  const deliver = async (id: string, team: string, updatedAt: number) => {
    const body = toBody('Progress', `a-${id}`, updatedAt, {}, { id, groups: [{ id: team, name: team }] })
    await loadHistory(store.writer, { deliveries: [{ body, receivedAt: updatedAt }], pulledUsers: [] }, 1_000)
  }
  const first = Date.UTC(2026, 0, 6)
  const people = createPeople(store.writer)
  const steps = [
    () => deliver('u0', 't1', first),
    () => writeTwice('u0'),
    () => deliver('u1', 't1', first),
    () => writeTwice('u1'),
    () => people.mend(['u1']),
    () => deliver('u1', 't2', first + 4 * 86_400_000),
    // In memory, a later row takes the place of the one that goes.
    () => people.mend(['u0']),
  ]
  for (const step of steps) {
    await step()
    await compare(scope, 'counts', 'teams', false)
  }
})

/** A day that counts nothing says nothing, lists have no order, and sums of fractions may differ in the last digit. */
function toOwn({ days, complete_through: _completeThrough, ...blocks }: Blocks): unknown {
  const own = { ...blocks, days: days.filter(([, , n]) => n !== 0) }
  return JSON.parse(
    JSON.stringify(own, (key, value: unknown) => {
      if (typeof value === 'number') return Number(value.toPrecision(12))
      // Without values there are no medians.
      if ((key === 'backlog' || key === 'grades') && Array.isArray(value) && value[0] === 0) return 'none'
      return Array.isArray(value) && unordered.has(key)
        ? value.map((row) => JSON.stringify(row)).sort()
        : value
    }),
  )
}

const unordered = new Set(['facts', 'challenges', 'team_sets', 'days', 'due_weeks', 'names'])

test('the largest grades that a platform can send have a median, from held and from read rows', async () => {
  await store.clear()
  const graded = { isFullyGraded: true, isSubmitted: true, calculatedGrade: 1.5e308 }
  const person = { id: 1, groups: [{ id: 't1' }], managers: [{ id: 2 }] }
  await storeBodies(store.writer, [
    toBody('Created', 'a1', monday, graded, person),
    toBody('Created', 'a2', monday, graded, person),
  ])
  const scope = createScope(monday + day)
  for (const reader of [unheld, memory].map((own) => ownReader(store.reader, own))) {
    const queries = createQueries(reader)
    expect((await queries.grading(scope)).by_challenge.map(({ grade }) => grade)).toEqual([
      { median: 1.5e308, n: 2 },
    ])
    expect((await queries.metrics(scope)).metrics.grade).toMatchObject({ n: 2, mean: null, median: 1.5e308 })
    const { lines } = await queries.groups(scope, 'team')
    expect(lines.map(({ grade }) => grade)).toEqual([{ n: 2, median: 1.5e308 }])
  }
})
