/** One challenge that more people have than the engine takes as one value of a list: a million. */
import { expect, test } from 'vitest'
import { createQueries } from '../../reporting/queries/queries.ts'
import { createScope } from '../model/scope.ts'
import { bigStore, makeVersions } from '../bench/big-store.ts'
import { openTestStore } from '../support/store/store.ts'
import { isComplete } from '../support/tiers.ts'
import { ownReader } from '../../reporting/read/reader.ts'

/** Takes a minute of processor time, for one list of one statement: before a release. */
test.runIf(isComplete)('Grading counts a challenge with more than a million grades', async () => {
  const store = await openTestStore()
  try {
    const step = 250_000
    for (let first = 0; first < 1_800_000; first += step) {
      await makeVersions(store.writer, { first, count: step, challenges: 1 })
    }
    const scope = createScope(bigStore.now)
    const queries = createQueries(ownReader(store.reader))
    const { by_challenge } = await queries.grading(scope)
    const { metrics } = await queries.metrics(scope)
    const { grading_turnaround: all } = metrics
    expect(all.n).toBeGreaterThan(1_000_000)
    expect(by_challenge).toMatchObject([{ id: 'challenge-0', turnaround: { n: all.n, p50_ms: all.p50_ms } }])
  } finally {
    await store.close()
  }
})
