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

const histories = 20
const narrow: Audience = {
  ...everybody,
  people: { under: ['1', '1001', '2002'], teams: ['t1', 't2.1'], teamsOf: [] },
}

/** The short run has one such run; the long one takes more of them, where it is asked to. */
const isAsked = !isLong || isComplete || process.env.METRICS_RUNS !== undefined
const numRuns = isLong ? Number(process.env.METRICS_RUNS ?? 10) : 1
const seed = isLong ? Number(process.env.METRICS_SEED ?? 2026) : 7
const fewestSteps = isLong ? 12 : 5

const store = await openTestStore()
afterAll(() => store.close())
const source = openSource(store.reader, store.streamer)
/** Kept over all runs: the rows that it holds of one store must never be said of the next. */
const memory = createMemory(source, {
  onError: (error) => {
    throw error
  },
})
const unheld = createMemory(source, { mostVersions: 0 })

const command = (query: string) => store.writer.command({ query })
const merge = (final: string) => async () => {
  for (const table of ['open_versions', 'closed_versions', 'user_versions'])
    await command(`OPTIMIZE TABLE rollcall.${table} ${final}`)
}
const steps: Record<string, () => Promise<unknown>> = {
  ask: async () => {},
  merge: merge(''),
  'merge all': merge('FINAL'),
  clear: () => store.clear(),
  async erase() {
    for (const table of ['open_versions', 'closed_versions'])
      await command(
        `ALTER TABLE rollcall.${table} DELETE WHERE user_id IN ('7', 'u-2.1') SETTINGS mutations_sync = 1`,
      )
  },
  /** What two writers at once leave, and the audit mends. */
  async twice() {
    const users = await store.rows<{ user_id: string }>('SELECT DISTINCT user_id FROM rollcall.user_versions')
    await command('INSERT INTO rollcall.user_versions SELECT * FROM rollcall.user_versions')
    await memory.askHeld(async () => true)
    await createPeople(store.writer).mend(users.map(({ user_id }) => user_id))
  },
}
type Step = number | keyof typeof steps
const stepArb: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 150 }), weight: 6 },
  { arbitrary: fc.constantFrom(...Object.keys(steps), 'ask', 'ask', 'merge'), weight: 9 },
)

/** A number: so many deliveries are stored. */
async function take(step: Step, { deliveries, pulledUsers }: History): Promise<History> {
  const [n, people] = typeof step === 'number' ? [step, Math.ceil(step / 10)] : [0, 0]
  if (typeof step !== 'number') await steps[step]!()
  const now = { deliveries: deliveries.slice(0, n), pulledUsers: pulledUsers.slice(0, people) }
  await loadHistory(store.writer, now, 1_000)
  return { deliveries: deliveries.slice(n), pulledUsers: pulledUsers.slice(people) }
}

async function compare(scope: Scope, question: string, number: number, isNarrow: boolean): Promise<void> {
  const [held, read] = [memory, unheld].map(async (own) => {
    const audience = isNarrow ? narrow : everybody
    const reader = readFor(store.reader, { audience: () => audience, memory: own, clock: () => scope.now })
    return toAnswerText(question, await questions[question]!(createQueries(reader), scope, number))
  })
  expect({ scope, question, isNarrow, answer: await held }).toEqual({
    scope,
    question,
    isNarrow,
    answer: await read,
  })
}

test.runIf(isAsked)(
  'held rows give the answers of read rows, whatever comes in, is merged or is rewritten',
  { timeout: 0 },
  async () => {
    let [answered, asked] = [0, 0]
    const questionArb = fc.tuple(
      fc.nat({ max: histories - 1 }),
      fc.oneof(scopeArb({ filters: false }), scopeArb()),
      fc.constantFrom(...Object.keys(questions).filter((each) => each !== 'export')),
      fc.boolean(),
    )
    const property = fc.asyncProperty(
      fc.array(historyArb({ maxEvents: 24 }), { minLength: histories, maxLength: histories }),
      fc.array(fc.tuple(stepArb, questionArb), { minLength: fewestSteps, maxLength: 2 * fewestSteps }),
      async (given, taken) => {
        let left = joinApart(given)
        await store.clear()
        for (const [step, [number, scope, question, isNarrow]] of taken) {
          // Reads while the step is taken, and while questions are asked.
          memory.renew()
          left = await take(step, left)
          memory.renew()
          if ((await memory.askHeld(async () => true)) !== undefined) answered++
          const own = setScopeApart(scope, number)
          for (const each of ['metrics', 'overview', question]) await compare(own, each, asked, isNarrow)
          asked++
        }
      },
    )
    await fc.assert(property, { numRuns, seed, endOnFailure: process.env.METRICS_SHRINK === undefined })
    // The others: while many rows are read.
    expect(answered).toBeGreaterThan(asked / 2)
  },
)

test('a store without events is held, and the largest grades that a platform can send have a median', async () => {
  await store.clear()
  const scope = createScope(monday + day)
  const memory = createMemory(source)
  expect(await memory.askHeld(async () => true)).toEqual({ answer: true })
  const graded = { isFullyGraded: true, isSubmitted: true, calculatedGrade: 1.5e308 }
  const person = { id: 1, groups: [{ id: 't1' }], managers: [{ id: 2 }] }
  await storeBodies(
    store.writer,
    ['a1', 'a2'].map((id) => toBody('Created', id, monday, graded, person)),
  )
  const queries = createQueries(readFor(store.reader, { audience: () => everybody, memory }))
  const grade = { median: 1.5e308, n: 2 }
  expect((await queries.grading(scope)).by_challenge).toMatchObject([{ grade }])
  expect((await queries.metrics(scope)).metrics.grade).toMatchObject({ ...grade, mean: null })
  expect(await queries.groups(scope, 'team')).toMatchObject([{ grade }])
})
