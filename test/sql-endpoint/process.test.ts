/** Statements in a process of their own, over a snapshot of the store that follows it. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { contractViews, viewsWithParameters } from '../../schemas/clickhouse/contract.ts'
import { openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { openSqlProcess } from '../../services/sql-endpoint/process/open-sql-process.ts'
import { monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'
import { z } from 'zod'
import { createRecords } from '../../services/records/records.ts'
import { findInFilesOf } from '../erasure/on-disk.ts'
import { testDirectory } from '../support/directories.ts'

const limits = {
  // Not the subject, but for one test: no machine is so slow.
  maxExecutionSeconds: 600,
  maxMemoryBytes: 2 ** 29,
  maxResultRows: 100_000,
  maxResultBytes: 2 ** 26,
}

const store = await openTestStore()
const directory = mkdtempSync(join(tmpdir(), 'rollcall-sql-'))
const opened = openSqlProcess({ client: store.reader, directory, views: contractViews, limits })
const endpoint = openSqlEndpoint({ engine: opened, people: true, onError: (error) => console.log(error) })
afterAll(async () => {
  await opened.close()
  await store.close()
})

async function ask(sql: string): Promise<{ status: number; text: string }> {
  const response = await endpoint.request('/', { method: 'POST', body: sql })
  return { status: response.status, text: (await response.text()).trim() }
}

let nextId = 0
const deliver = (count: number) =>
  storeBodies(
    store.writer,
    Array.from({ length: count }, () => toBody('Created', `p${(nextId += 1)}`, monday + nextId)),
  )
const pidOfProcess = () =>
  execFileSync('pgrep', ['-f', `sql-process.ts.*${directory}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)

describe('a statement', { shuffle: false }, () => {
  test('starts the process, and nothing does before', async () => {
    expect(existsSync(directory)).toBe(false)
    expect(await ask('SELECT 1')).toEqual({ status: 200, text: '1' })
  })

  test('sees all that is stored when it is sent', async () => {
    for (const [count, total] of [
      [3, 3],
      [5, 8],
      [1, 9],
    ] as const) {
      await deliver(count)
      expect(await ask('SELECT count() FROM events')).toEqual({ status: 200, text: String(total) })
    }
  })

  test('gives in every view what the store gives, also after merges, mutations and removals', async () => {
    const content = (view: string) =>
      `SELECT count(), groupBitXor(cityHash64(toString(tuple(*)))) FROM ${view}`
    const all = contractViews.filter((view) => !viewsWithParameters.includes(view) && view !== 'pulls')
    const changes = [
      async () => {
        await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.open_versions FINAL' })
        await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.event_rows FINAL' })
      },
      () => deliver(20),
      () =>
        store.writer.command({
          query: `ALTER TABLE rollcall.user_observations UPDATE name = 'Other' WHERE 1 SETTINGS mutations_sync = 2`,
        }),
      async () => {
        await store.writer.command({ query: 'TRUNCATE TABLE rollcall.failed_event_rows' })
        const query = 'ALTER TABLE rollcall.event_bodies DELETE WHERE 1 SETTINGS mutations_sync = 2'
        await store.writer.command({ query })
      },
      () => deliver(2),
    ]
    for (const [at, change] of changes.entries()) {
      await change()
      // No later change mends what an earlier one spoiled: all views are compared after the last, some of them in between.
      for (const view of all.filter((_, number) => at === changes.length - 1 || number % 4 === at)) {
        const [row] = await store.rows(content(`rollcall.${view}`))
        const expected = Object.values(row ?? {})
          .map(String)
          .join('\t')
        expect([view, await ask(content(view))]).toEqual([view, { status: 200, text: expected }])
      }
    }
  })

  test('whose process is killed is told so, and the next one is answered', async () => {
    await ask('SELECT 1')
    const body = 'SELECT count() FROM numbers(100000000000) WHERE NOT ignore(sipHash64(number))'
    const slow = endpoint.request('/', { method: 'POST', body })
    // Before its answer begins, it would start another process and run there.
    await until(() => globSync('*/answer*', { cwd: directory }).length > 0)
    const [pid = 0] = pidOfProcess()
    process.kill(pid, 'SIGKILL')
    expect(await (await slow).text()).toContain('The engine of statements has ended')
    expect(await ask('SELECT 1')).toEqual({ status: 200, text: '1' })
  })

  test('whose process cannot be started is told so, and the next one is answered', async () => {
    await opened.end()
    const node = process.execPath
    process.execPath = '/nowhere/node'
    const refused = ask('SELECT 1').finally(() => (process.execPath = node))
    expect(await refused).toMatchObject({ status: 503, text: expect.stringContaining('has ended') })
    expect(await ask('SELECT 1')).toEqual({ status: 200, text: '1' })
  })

  test('has the orders of guides in its snapshot, and no other record: no login and no password', async () => {
    const schema = z.object({ orderId: z.string(), userIds: z.array(z.string()) })
    await createRecords({ name: 'guide_order', schema }, store).put('order-1', {
      orderId: 'order-1',
      userIds: ['8'],
    })
    await createRecords({ name: 'person', schema: z.object({}) }, store).put('secret@example.com', {})
    expect((await ask('SELECT order_id FROM guide_orders')).text).toBe('order-1')
    expect(findInFilesOf(directory, ['order-1'])).not.toEqual([])
    expect(findInFilesOf(directory, ['secret@example.com'])).toEqual([])
  })

  test('ended: nothing of the store stays in a snapshot', async () => {
    await ask('SELECT 1')
    expect(readdirSync(directory)).toHaveLength(1)
    await opened.end()
    expect(readdirSync(directory)).toEqual([])
    expect(await ask('SELECT 1')).toEqual({ status: 200, text: '1' })
  })
})

test('parts that the store merges away between the list and the links are not missed', async () => {
  let lists = 0
  const stale: Pick<typeof store.reader, 'query'> = {
    async query(params: Parameters<typeof store.reader.query>[0]) {
      const answer = await store.reader.query(params)
      if (!params.query.includes('system.parts') || (lists += 1) !== 2) return answer as never
      const parts = await answer.text()
      const gone = JSON.stringify(['event_rows', 'gone_1_1_0', `${directory}/gone`])
      return { text: () => Promise.resolve(`${parts.trimEnd()}\n${gone}\n`) } as never
    },
  }
  const beside = mkdtempSync(join(tmpdir(), 'rollcall-stale-'))
  const process = openSqlProcess({
    client: stale as never,
    directory: beside,
    views: contractViews,
    limits,
  })
  const app = openSqlEndpoint({ engine: process, people: false })
  const count = async () => (await app.request('/?query=SELECT+count()+FROM+events')).text()
  const first = Number(await count())
  await deliver(2)
  expect(Number(await count())).toBe(first + 2)
  expect(lists).toBe(3)
  await deliver(1)
  expect(Number(await count())).toBe(first + 3)
  await process.close()
})

test('a statement that takes too long ends, with its process, and the next one is answered', async () => {
  const impatient = openSqlProcess({
    client: store.reader,
    directory: mkdtempSync(join(tmpdir(), 'rollcall-impatient-')),
    views: [],
    limits: { ...limits, maxExecutionSeconds: 1 },
  })
  const app = openSqlEndpoint({ engine: impatient, people: false })
  const send = async (sql: string) => {
    const response = await app.request('/', { method: 'POST', body: sql })
    return [response.status, await response.text()]
  }
  const endless = `SELECT length(extractAll(repeat('a', 100000 + number), '(.?){1000}')) FROM numbers(3)`
  expect(await send(endless)).toEqual([408, expect.stringContaining('TIMEOUT_EXCEEDED')])
  expect(await send('SELECT 1')).toEqual([200, '1\n'])
  await impatient.close()
})

test('an idle process ends, and leftovers of a crash go at the next start', async () => {
  const left = testDirectory()
  const idle = openSqlProcess({ client: store.reader, directory: left, views: [], limits, idleMs: 50 })
  const app = openSqlEndpoint({ engine: idle, people: false })
  expect((await app.request('/?query=SELECT+1')).status).toBe(200)
  await until(() => readdirSync(left).length === 0)
  const crashed = openSqlProcess({ client: store.reader, directory: left, views: [], limits })
  await openSqlEndpoint({ engine: crashed, people: false }).request('/?query=SELECT+1')
  expect(readdirSync(left)).toHaveLength(1)
  openSqlProcess({ client: store.reader, directory: left, views: [], limits })
  expect(existsSync(left)).toBe(false)
  await crashed.close()
})
