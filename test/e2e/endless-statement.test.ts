/** Statements that never end, against the whole product: it goes on, stops within its limit, and starts again. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toBody } from '../support/data/records.ts'
import { startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { until } from '../support/wait.ts'

const endless = `SELECT length(extractAll(repeat('a', 100000), '(.?){1000}'))`
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-endless-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const ask = async ({ dashboardUrl }: Embedded, sql: string) => {
  const response = await fetch(`${dashboardUrl}/api/sql`, { method: 'POST', body: sql })
  return { status: response.status, text: (await response.text()).trim() }
}

function countProcesses(): number {
  try {
    return execFileSync('pgrep', ['-f', `sql-process.ts.*${directory}`], { encoding: 'utf8' })
      .trim()
      .split('\n').length
  } catch {
    return 0
  }
}

test('ten of them end one after another, and deliveries and other statements go on', async () => {
  const embedded = await startEmbedded(directory, { SQL_MAX_SECONDS: '1' })
  expect(countProcesses()).toBe(0)
  // More than may wait: the rest are told to come again.
  const all = Promise.all(Array.from({ length: 10 }, () => ask(embedded, endless)))
  const body = toBody('Created', 'a', Date.now() - 1_000)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(embedded.ingestUrl, { method: 'POST', headers, body })).status).toBe(200)
  expect(new Set((await all).map(({ status }) => status))).toEqual(new Set([408]))
  await until(async () => (await ask(embedded, 'SELECT count() FROM assignments')).text === '1')
  expect(await embedded.stop()).toBe(0)
  expect(countProcesses()).toBe(0)
})

test('a stop while one runs ends in time, and the next start finds a whole store', async () => {
  const embedded = await startEmbedded(directory, { SQL_MAX_SECONDS: '600' })
  const running = ask(embedded, endless).catch(() => undefined)
  await until(() => countProcesses() === 1)
  expect(await embedded.stop()).toBe(0)
  await running
  const again = await startEmbedded(directory)
  expect(await ask(again, 'SELECT 1')).toEqual({ status: 200, text: '1' })
  expect(await again.stop()).toBe(0)
})

test('a kill while one runs leaves no process behind, and its snapshot goes at the next start', async () => {
  const embedded = await startEmbedded(directory, { SQL_MAX_SECONDS: '600' })
  const running = ask(embedded, endless).catch(() => undefined)
  await until(() => countProcesses() === 1)
  await embedded.kill()
  await running
  await until(() => countProcesses() === 0)
  expect(existsSync(join(directory, 'sql'))).toBe(true)
  const again = await startEmbedded(directory)
  expect(existsSync(join(directory, 'sql'))).toBe(false)
  expect(await again.stop()).toBe(0)
})
