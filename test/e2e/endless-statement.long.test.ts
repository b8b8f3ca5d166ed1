/** Statements that never end, against the whole product: it goes on, stops within its limit, and starts again. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { lockStore } from '../../services/clickhouse/store-directory.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { toBody } from '../support/data/records.ts'
import { readAssigned, deliver, startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { runCliInside } from '../support/processes/cli.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

const endless = `SELECT length(extractAll(repeat('a', 100000), '(.?){1000}'))`
let directory: string
beforeEach(() => {
  directory = testDirectory()
})

const ask = async ({ dashboardUrl }: Embedded, sql: string) => {
  const response = await fetch(`${dashboardUrl}/api/sql`, { method: 'POST', body: sql })
  return { status: response.status, text: (await response.text()).trim() }
}

function countProcesses(): number {
  try {
    return execFileSync('pgrep', ['-f', `sql-process.js.*${directory}`], { encoding: 'utf8' })
      .trim()
      .split('\n').length
  } catch {
    return 0
  }
}

/** Without sign-in each connection has its turn. */
async function takeTurns({ dashboardUrl }: Embedded): Promise<void> {
  const { port } = new URL(dashboardUrl)
  const [mine, other] = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 })) as [Agent, Agent]
  const order: string[] = []
  const slow = 'SELECT count() FROM numbers(20000000) WHERE NOT ignore(sipHash64(number))'
  const send = (name: string, agent: Agent) =>
    new Promise<void>((resolve, reject) => {
      const asked = request({ port, agent, method: 'POST', path: '/api/sql' }, (answer) => {
        order.push(name)
        answer.resume().on('end', resolve)
      })
      asked.on('error', reject).end(slow)
    })
  await Promise.all([send('mine', mine), send('mine', mine), send('mine', mine), send('other', other)])
  expect(order.indexOf('other')).toBeLessThan(3)
  for (const agent of [mine, other]) agent.destroy()
}

test('a kill and a stop while one runs end it; the start after the kill finds a whole store, removes the snapshot, answers in turns, and erases', async () => {
  const killed = await startEmbedded(directory, { SQL_MAX_SECONDS: '600' })
  expect((await fetch(`${killed.dashboardUrl}/api/metrics`)).status).toBe(200)
  const running = ask(killed, endless).catch(() => undefined)
  await until(() => countProcesses() === 1)
  await killed.kill()
  await running
  await until(() => countProcesses() === 0)
  expect(existsSync(join(directory, 'sql'))).toBe(true)

  const embedded = await startEmbedded(directory, { SQL_MAX_SECONDS: '600' })
  expect(existsSync(join(directory, 'sql'))).toBe(false)
  await takeTurns(embedded)

  // An erasure is done only when no snapshot holds the old files.
  const body = toBody('Created', 'a', Date.now() - 1_000, {}, { id: 7, name: 'Ada Moreno' })
  expect((await deliver(embedded.ingestUrl, body)).status).toBe(200)
  await until(async () => (await ask(embedded, 'SELECT count() FROM events')).text === '1')
  expect(readdirSync(join(directory, 'sql'))).toHaveLength(1)
  const { code } = await runCliInside(['erase', '--user', '7', '--yes'], { DATA_DIR: directory })
  expect(code).toBe(0)
  expect(readdirSync(join(directory, 'sql'))).toEqual([])
  expect(countProcesses()).toBe(0)

  const runningAgain = ask(embedded, endless).catch(() => undefined)
  await until(() => countProcesses() === 1)
  expect(await embedded.stop()).toBe(0)
  await runningAgain
  expect(countProcesses()).toBe(0)
})

// Without root there is no disk to fill.
const testOnDisk = canMount ? test : test.skip
testOnDisk(
  'a disk that is nearly full refuses statements and ends their process, and deliveries go on',
  async () => {
    const disk = mountSmallDisk('512m')
    try {
      const data = join(disk.directory, 'data')
      const embedded = await startEmbedded(data, { SQL_MAX_MEMORY_BYTES: String(64 * 1024 ** 2) })
      expect(await ask(embedded, 'SELECT 1')).toEqual({ status: 200, text: '1' })
      const running = ask(embedded, endless)
      disk.fill(100 * 1024 ** 2)
      expect(await running).toEqual({ status: 507, text: expect.stringContaining('nearly full') })
      await until(() => !existsSync(join(data, 'sql')) || readdirSync(join(data, 'sql')).length === 0)
      expect((await ask(embedded, 'SELECT 1')).status).toBe(507)
      const body = toBody('Created', 'a', Date.now() - 1_000)
      expect((await deliver(embedded.ingestUrl, body)).status).toBe(200)
      const assigned = () => readAssigned(embedded.dashboardUrl)
      await until(async () => (await assigned()) === 1)
      disk.makeRoom()
      expect(await ask(embedded, 'SELECT count() FROM assignments')).toEqual({ status: 200, text: '1' })
      expect(await embedded.stop()).toBe(0)
    } finally {
      disk.remove()
    }
  },
)

test('a store whose process stops while a statement never ends is held until that process is gone, and whole then', async () => {
  const store = join(directory, 'clickhouse')
  const main = join(import.meta.dirname, '../support/processes/endless-main.ts')
  const child = spawn(process.execPath, [main, store], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(() => output.includes('Running'))
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await until(() => output.includes('Stopping'))
  expect(() => lockStore(store)).toThrow(`another Rollcall runs on it (process ${child.pid})`)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(output).toContain('The stop took too long')
  await (await openEmbeddedClickHouse({ directory: store })).close()
})
