/** The log is real, the clock is the test's. */
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createFailureMemory,
  createProgressWatch,
  type Stall,
  stalledAfterMs,
} from '../../services/watch/watch-progress.ts'
import type { LogReader, LogWriter } from '../../services/event-log/event-log.ts'
import { openLocalLogReader } from '../../services/event-log/local/reader.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { monday, toBody, toRecord } from '../support/data/records.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

let directory: string
let writer: LogWriter
let reader: LogReader
beforeEach(async () => {
  directory = testDirectory()
  writer = await openLocalLogWriter({ directory })
  reader = openLocalLogReader({ directory })
})
afterEach(async () => {
  await reader.close()
  await writer.close()
})

test('a consumer that stores nothing while deliveries wait is not ready, and says so once an hour until it gets on', async () => {
  let clock = monday
  const said: (Stall | 'moving')[] = []
  const failures = createFailureMemory(() => clock)
  const registry = new Registry()
  const watch = createProgressWatch({
    lag: () => reader.lag(),
    failure: failures.current,
    onStalled: (stall) => said.push(stall),
    onMoving: () => said.push('moving'),
    registry,
    now: () => clock,
    // Another zero, and parts of ms: the time that is said must be one of the wall clock.
    elapsed: () => clock - monday + 0.25,
  })
  const lookAfter = async (ms: number) => {
    clock += ms
    await watch.look()
    return watch.isReady().ok
  }
  let isAway = true
  let position = 0
  reader.start(
    {
      resumeFrom: () => Promise.resolve(position),
      handle({ records }) {
        if (isAway) return Promise.reject(new Error('The store is away'))
        position += records.length
        watch.moved(0)
        return Promise.resolve()
      },
      caughtUp: () => Promise.resolve(),
    },
    { maxBatchRecords: 10, maxBatchBytes: 1e6, minBatchIntervalMs: 1 },
    (error) => failures.failed(error),
  )

  expect(await lookAfter(0)).toBe(true)
  expect(await lookAfter(10 * stalledAfterMs), 'nothing waits').toBe(true)
  for (const id of ['a', 'b', 'c']) await writer.append(toRecord(toBody('Created', id, monday), 0))
  await until(() => failures.current())
  expect(await lookAfter(0)).toBe(true)
  expect(await lookAfter(stalledAfterMs - 1)).toBe(true)
  expect(await lookAfter(1)).toBe(false)
  expect(watch.isReady()).toMatchObject({
    reason: 'Nothing was stored for 30 s, and 3 deliveries wait. Last error: The store is away',
  })
  expect(await registry.metrics()).toContain('rollcall_consumer_stalled_seconds 30')
  expect(said).toMatchObject([
    { since: clock - stalledAfterMs, waiting: 3, partitions: [0], failure: { message: 'The store is away' } },
  ])

  await lookAfter(3_600_000 - 1)
  expect(said.length).toBe(1)
  await lookAfter(1)
  expect(said.length).toBe(2)

  isAway = false
  await until(async () => (await reader.lag()).every(({ records }) => records === 0))
  expect(await lookAfter(0)).toBe(true)
  expect(said.at(-1)).toBe('moving')
  expect(await registry.metrics()).toContain('rollcall_consumer_stalled_seconds 0')
})
