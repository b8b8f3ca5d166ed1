/**
 * The memory of reads for questions, with MEMORY_MAX_VERSIONS=0. The process that answers may also acknowledge webhooks,
 * so four readers need no more memory than one. docs/sizing.md names the bytes.
 */
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { createMemory } from '../../../reporting/columns/follow.ts'
import { openSource, type Source } from '../../../reporting/columns/source.ts'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { bigStore, makeVersions } from '../../bench/big-store.ts'
import { createScope, type Scope } from '../../model/scope.ts'
import { openTestStore } from '../../support/store/store.ts'

const versions = 250_000
/** 300 to 370 are needed. */
const bytesPerVersion = 400
const besideBytes = 32 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** The first collection hands its array buffers to a sweeper in the background; the second one waits for it. */
const liveBytes = () => {
  collect()
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}

const store = await openTestStore()
await makeVersions(store.writer, { count: versions })
afterAll(() => store.close())

let peak = 0
const source = openSource(store.reader, store.streamer)
const measured: Source = {
  ...source,
  async *readVersions(needs) {
    let blocks = 0
    for await (const block of source.readVersions(needs)) {
      yield block
      if (++blocks % 10 === 0) peak = Math.max(peak, liveBytes())
    }
  },
}

const scope = createScope(bigStore.now)
const challenge = Array.from({ length: bigStore.challenges }, (_, n) => `challenge-${n}`)
const questions: Record<string, (number: number) => Scope> = {
  'of now': (number) => ({ ...scope, dueSoonDays: number }),
  'of the past': (number) => ({ ...scope, asOf: scope.asOf - number * 86_400_000 }),
  'that name every challenge': (number) => ({ ...scope, challenge: challenge.slice(number) }),
}

test.each(Object.keys(questions))('four readers with questions %s need the memory of one', async (name) => {
  const queries = createQueries(ownReader(store.reader, createMemory(measured, { mostVersions: 0 })))
  const before = liveBytes()
  peak = before
  const ask = async (number: number) => {
    for (;;) {
      try {
        return await queries.metrics(questions[name]!(number))
      } catch (error) {
        if (!(error instanceof DataUnavailableError)) throw error
        await setTimeout(100)
      }
    }
  }
  const answers = await Promise.all([1, 2, 3, 4].map(ask))
  expect(answers.every(({ metrics }) => metrics.assigned.value > 0)).toBe(true)
  expect(peak - before).toBeLessThan(versions * bytesPerVersion + besideBytes)
})
