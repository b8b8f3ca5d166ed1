/** Statements in a process of their own, over a snapshot of the store that follows it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractViews, viewsWithParameters } from '../../schemas/clickhouse/contract.ts'
import { openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { openSqlProcess, type SqlProcess } from '../../services/sql-endpoint/process/open-sql-process.ts'
import { createTurns } from '../../services/sql-endpoint/turns.ts'
import { monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'

const limits = {
  // Not the subject, but for one test: no machine is so slow.
  maxExecutionSeconds: 600,
  maxMemoryBytes: 2 ** 29,
  maxResultRows: 100_000,
  maxResultBytes: 2 ** 26,
}
let store: TestStore
let directory: string
let opened: SqlProcess
let endpoint: Hono

beforeAll(async () => {
  store = await openTestStore()
  directory = mkdtempSync(join(tmpdir(), 'rollcall-sql-'))
  opened = openSqlProcess({ client: store.reader, directory, views: contractViews, limits })
  endpoint = openSqlEndpoint({ client: opened.client, people: true, onError: (error) => console.log(error) })
})
afterAll(async () => {
  await opened?.close()
  await store?.close()
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
      expect(await ask('SELECT count() FROM assignments')).toEqual({ status: 200, text: String(total) })
    }
  })

  test('gives in every view what the store gives, also after merges, mutations and removals', async () => {
    const content = (view: string) => `SELECT count(), groupBitXor(cityHash64(toString(tuple(*)))) FROM ${view}`
    const views = contractViews.filter((view) => !viewsWithParameters.includes(view) && view !== 'pulls')
    const changes = [
      () => store.writer.command({ query: 'OPTIMIZE TABLE rollcall.open_versions FINAL' }),
      () => store.writer.command({ query: 'OPTIMIZE TABLE rollcall.event_rows FINAL' }),
      () => deliver(20),
      () =>
        store.writer.command({
          query: `ALTER TABLE rollcall.user_observations UPDATE name = 'Other' WHERE 1 SETTINGS mutations_sync = 2`,
        }),
      () => store.writer.command({ query: 'TRUNCATE TABLE rollcall.failed_event_rows' }),
      () =>
        store.writer.command({ query: `ALTER TABLE rollcall.event_bodies DELETE WHERE 1 SETTINGS mutations_sync = 2` }),
      () => deliver(2),
    ]
    for (const change of changes) {
      await change()
      for (const view of views) {
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
    const slow = ask('SELECT count() FROM numbers(100000000000) WHERE NOT ignore(sipHash64(number))')
    const [pid = 0] = pidOfProcess()
    process.kill(pid, 'SIGKILL')
    expect((await slow).text).toContain('The engine of statements has ended')
    expect(await ask('SELECT 1')).toEqual({ status: 200, text: '1' })
  })

  test('ended: nothing of the store stays in a snapshot', async () => {
    await ask('SELECT 1')
    expect(readdirSync(directory)).toHaveLength(1)
    await opened.end()
    expect(readdirSync(directory)).toEqual([])
    expect(await ask('SELECT 1')).toEqual({ status: 200, text: '1' })
  })
})

test('a statement that takes too long ends, with its process, and the next one is answered', async () => {
  const impatient = openSqlProcess({
    client: store.reader,
    directory: mkdtempSync(join(tmpdir(), 'rollcall-impatient-')),
    views: contractViews,
    limits: { ...limits, maxExecutionSeconds: 1 },
  })
  const app = openSqlEndpoint({ client: impatient.client, people: false })
  const send = async (sql: string) => {
    const response = await app.request('/', { method: 'POST', body: sql })
    return [response.status, await response.text()]
  }
  for (const endless of [
    `SELECT length(extractAll(repeat('a', 100000), '(.?){1000}'))`,
    `SELECT length(extractAll(repeat('a', 100000 + number), '(.?){1000}')) FROM numbers(3)`,
  ]) {
    expect(await send(endless)).toEqual([408, expect.stringContaining('TIMEOUT_EXCEEDED')])
    expect(await send('SELECT 1')).toEqual([200, '1\n'])
  }
  await impatient.close()
})

test('an idle process ends, and leftovers of a crash go at the next start', async () => {
  const left = mkdtempSync(join(tmpdir(), 'rollcall-left-'))
  const idle = openSqlProcess({ client: store.reader, directory: left, views: contractViews, limits, idleMs: 50 })
  const app = openSqlEndpoint({ client: idle.client, people: false })
  expect((await app.request('/?query=SELECT+1')).status).toBe(200)
  await until(() => readdirSync(left).length === 0)
  const crashed = openSqlProcess({ client: store.reader, directory: left, views: contractViews, limits })
  await openSqlEndpoint({ client: crashed.client, people: false }).request('/?query=SELECT+1')
  expect(readdirSync(left)).toHaveLength(1)
  openSqlProcess({ client: store.reader, directory: left, views: contractViews, limits })
  expect(existsSync(left)).toBe(false)
  await crashed.close()
  rmSync(left, { recursive: true, force: true })
})

describe('states of aggregates that are made of bytes', () => {
  const state = `unhex('0303000000000000f87f')`
  const type = 'AggregateFunction(rankCorr, Float64, Float64)'
  test.each([
    `SELECT finalizeAggregation(CAST(${state}, '${type}'))`,
    `SELECT finalizeAggregation(CAST(${state} AS ${type}))`,
    `SELECT finalizeAggregation(${state}::${type})`,
    `SELECT finalizeAggregation(CAST(${state}, '${type.replace('(', ' (')}'))`,
    `SELECT finalizeAggregation(CAST(${state}, 'aggregatefunction(rankCorr, Float64, Float64)'))`,
    `SELECT finalizeAggregation(CAST(${state}, concat('Aggregate', 'Function(rankCorr, Float64, Float64)')))`,
    `SELECT finalizeAggregation(CAST(${state}, upper('x')))`,
    `WITH '${type}' AS t SELECT finalizeAggregation(CAST(${state}, t))`,
    `SELECT finalizeAggregation(accurateCastOrNull(${state}, '${type}'))`,
    `SELECT CAST([${state}], 'Array(${type})')`,
    `SELECT x FROM values('x ${type}', ('a'))`,
  ])('%s is refused', async (sql) => {
    const { status, text } = await ask(sql)
    expect([status, text]).toEqual([403, expect.stringContaining('ACCESS_DENIED')])
  })

  test('those that the engine has made are taken', async () => {
    expect(await ask('SELECT finalizeAggregation(sumState(number)) FROM numbers(4)')).toEqual({
      status: 200,
      text: '6',
    })
    expect(await ask(`SELECT CAST('7', 'UInt8') + '1'::UInt8`)).toEqual({ status: 200, text: '8' })
  })
})

test('people take turns, and each has room of their own', async () => {
  const order: string[] = []
  const turns = createTurns({ mostEach: 3, mostAll: 6 })
  let open: () => void = () => {}
  const first = turns('ada', () => new Promise<void>((resolve) => (open = resolve)))
  const rest = ['ada', 'ada', 'ada', 'ben', 'cy'].map((who, index) =>
    turns(who, () => Promise.resolve(void order.push(`${who}${index}`))),
  )
  await expect(turns('ada', () => Promise.resolve())).rejects.toMatchObject({ code: '202' })
  rest.push(turns('dan', () => Promise.resolve(void order.push('dan'))))
  await expect(turns('eve', () => Promise.resolve())).rejects.toMatchObject({ code: '202' })
  open()
  await Promise.all([first, ...rest])
  expect(order).toEqual(['ada0', 'ben3', 'cy4', 'dan', 'ada1', 'ada2'])
})
