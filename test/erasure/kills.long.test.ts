/** kill -9 inside an erasure and inside retention: the begun work is complete after the next run, and no number changes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { createRandom, integer } from '../../sample-platform/random.ts'
import { childEnvironment } from '../support/processes/child.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { isComplete } from '../support/tiers.ts'
import { findInColumnsOf, findInFilesOf, readRows, storeUncompressed } from './on-disk.ts'
import { testDirectory } from '../support/directories.ts'
import { openDirectory } from '../support/store/store.ts'

const root = join(import.meta.dirname, '../..')
const seed = process.env.ROLLCALL_FAULT_SEED ?? String(Date.now())
const ada = { id: 7, name: 'Ada Moreno', email: 'ada@example.com', customFields: { born: '1985-12-10' } }
const bo = { id: 8, name: 'Bo Lind', email: 'bo@example.com' }
const searched = ['ada moreno', 'ada@example', '1985-12-10']

let parent: string
let directory: string
beforeEach(async () => {
  parent = testDirectory()
  directory = join(parent, 'clickhouse')
  copyStoreTemplate(directory)
  await inStore(async (store) => {
    await storeUncompressed(store)
    await fill(store)
  })
})

async function inStore<Result>(use: (store: EmbeddedClickHouse) => Promise<Result>): Promise<Result> {
  const store = await openDirectory(directory)
  try {
    return await use(store)
  } finally {
    await store.close()
    await (await import('chdb')).drainPending()
  }
}

async function fill(store: EmbeddedClickHouse): Promise<void> {
  const consumer = createConsumer({ client: store.writer })
  const bodies = Array.from({ length: 30 }, (_, n) => [
    toBody('Created', `a${n}`, monday + n, {}, n % 2 === 0 ? ada : bo),
    toBody('Progress', `a${n}`, monday + day + n, { completionPercentage: n }, n % 2 === 0 ? ada : bo),
    Buffer.from(`{"eventType":"guide.shared","timestamp":${monday + n},"message":"Ask ADA@example.com"}`),
    Buffer.from(`ada@example.com is no JSON ${n}`),
  ]).flat()
  const records = bodies.map((body, offset) => toRecord(body, offset))
  for (let start = 0; start < records.length; start += 40) {
    const part = records.slice(start, start + 40)
    // Each a second time, as repeats.
    await consumer.handle(toBatch(part.map((record) => ({ ...record, offset: record.offset + start }))))
    await consumer.handle(toBatch(part.map((record) => ({ ...record, offset: record.offset + start + 40 }))))
  }
  const pulled = { userId: '7', observedAtMs: monday, isDeleted: false, isPermanentlyDeleted: false }
  const said = { teams: [], managers: undefined, directReports: undefined, name: ada.name, email: ada.email }
  await storePulledPeople(store.writer, createPeople(store.writer), [{ ...pulled, ...said }])
}

/** The rows that pages count from, and the sums that must add up. */
const readNumbers = () =>
  inStore(async (store) => ({
    assignments: await readRows(
      store,
      'SELECT * EXCEPT (user_name, challenge_title) FROM rollcall.assignments_all ORDER BY assignment_id',
    ),
    events: await readRows(store, 'SELECT * FROM rollcall.events ORDER BY event_id'),
    ledger: await readRows(store, 'SELECT * FROM rollcall.ledger ORDER BY source, hour'),
  }))

/** Kills it while the n-th statement runs, or right after; `false`: it had less, and ended. */
async function killAt(what: 'erasure' | 'retention', step: number, afterMs: number): Promise<boolean> {
  const words = ['test/erasure/kill-child.ts', directory, what, String(step), String(afterMs)]
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: childEnvironment(),
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (signal === null) expect(code, complaint).toBe(0)
  else expect(signal).toBe('SIGKILL')
  return signal !== null
}

/** Kills at each statement (in a usual run at each third), on the store as the kill before has left it, until one runs to its end. */
async function killEverywhere(what: 'erasure' | 'retention'): Promise<number> {
  const random = createRandom(seed)
  let kills = 0
  for (let step = 1; await killAt(what, step, integer(random, 0, 40)); step += isComplete ? 1 : 3) kills++
  return kills
}

test('of an erasure: the next start finishes it, and leaves nothing of the person in any file', async () => {
  console.log(`seed ${seed} (ROLLCALL_FAULT_SEED)`)
  const before = await readNumbers()
  expect(findInFilesOf(directory, searched)).not.toEqual([])
  // Mostly five; once a run has come to its end before the kill, the next ones have twelve statements.
  expect(await killEverywhere('erasure')).toBeGreaterThan(2)
  await inStore(async (store) => expect(await findInColumnsOf(store, searched)).toEqual([]))
  expect(findInFilesOf(directory, searched)).toEqual([])
  expect(await readNumbers()).toEqual(before)
})

test('of retention: all that is older is gone after the next run, and no number changes', async () => {
  const before = await readNumbers()
  expect(await killEverywhere('retention')).toBeGreaterThan(0)
  await inStore(async (store) => {
    for (const table of ['event_bodies', 'failed_event_rows', 'repeat_rows'])
      expect(await readRows(store, `SELECT toUInt32(count()) AS n FROM rollcall.${table}`)).toEqual([
        { n: 0 },
      ])
  })
  expect(await readNumbers()).toEqual(before)
})
