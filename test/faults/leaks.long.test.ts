/**
 * Names, e-mails and tokens are put in everywhere, and the product is made to fail in every way at hand. Then everything that it
 * shows to people who may not see them is searched: logs, metrics, answers, job records, views, the command line.
 */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { toErrorText } from '../../services/runtime/describe-error.ts'
import { findRunning } from '../../services/runtime/control/control-client.ts'
import { runCliInside } from '../support/processes/cli.ts'
import { startEmbedded, testToken, type Embedded } from '../support/processes/embedded.ts'
import { marker } from '../support/data/markers.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'
import { createAudit, person, platformToken, toEvent, type Audit } from './audit.ts'
import { testDirectory } from '../support/directories.ts'

const { name, email, title } = marker

let directory: string
let platform: Server
/** The next answers of the platform, by the path's last word. */
let answers: Record<string, [number, string]>
let product: Embedded | undefined
let audit: Audit

beforeEach(async () => {
  directory = testDirectory()
  audit = createAudit(() => product?.ingestUrl ?? '')
  answers = {}
  platform = createServer((request, response) => {
    const last = new URL(request.url ?? '', 'http://platform').pathname.split('/').at(-1) ?? ''
    const [status, body] = answers[last] ?? [404, '{"error":"Not found"}']
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(platform, 'listening')
})
afterEach(async () => {
  await product?.kill()
  product = undefined
  platform.close()
  platform.closeAllConnections()
})

const env = () => ({
  LOG_LEVEL: 'debug',
  PLATFORM_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
  PLATFORM_TOKEN: platformToken,
  PULL_SCHEDULE: 'off',
  RECONCILE_SCHEDULE: 'off',
})

const read = (path: string, init?: RequestInit) => audit.read(`${product?.dashboardUrl}${path}`, init)
const sql = (statement: string) => read('/api/sql', { method: 'POST', body: statement })

async function cli(...words: string[]) {
  const run = await runCliInside(words, { DATA_DIR: directory, INGEST_TOKENS: `main=${testToken}`, ...env() })
  audit.note(`rollcall ${words.join(' ')}`, `${run.out}\n${run.err}`)
  return run
}

/** As the command line asks the running process, without a process of its own for every question. */
async function command(name: string, args: object) {
  const running = await findRunning(directory)
  const io = {
    report: (progress: object) => audit.note(`progress of ${name}`, JSON.stringify(progress)),
    signal: new AbortController().signal,
  }
  const said = await running?.run(name, args, io).catch((error: unknown) => toErrorText(error))
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  audit.note(`${name} ${JSON.stringify(args)}`, text ?? '')
  return text ?? ''
}

/** The store refuses these rows; its error quotes all values of the row. */
async function makeStoreRefuse(tables: Record<string, string>): Promise<void> {
  copyStoreTemplate(join(directory, 'clickhouse'))
  const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  for (const [table, condition] of Object.entries(tables)) {
    await clickhouse.writer.command({
      query: `ALTER TABLE rollcall.${table} ADD CONSTRAINT never_these CHECK ${condition}`,
    })
  }
  await clickhouse.close()
}

function expectNothingLeaked(): void {
  audit.note('log of the product', product?.output() ?? '')
  audit.expectNothingLeaked()
}

test('nothing of a person gets out when deliveries and inserts fail', async () => {
  await makeStoreRefuse({ user_observations: `not startsWith(name, '${name}')`, names: `name != '${title}'` })
  product = await startEmbedded(directory, env())
  expect(await audit.send('an event', toEvent('a1'))).toBe(200)
  const isRefused = async () =>
    /VIOLATED_CONSTRAINT/.test(
      (product?.output() ?? '') + (await sql('SELECT * FROM rollcall.failed_events')),
    )
  await until(isRefused, Boolean, { describe: () => product?.output() ?? '' })
  await audit.sendBrokenDeliveries()
  for (const path of [
    '/setup',
    '/',
    '/api/metrics',
    '/api/assignments',
    '/health/ready',
    '/api/openapi.json',
    '/nowhere',
  ])
    await read(path)
  for (const path of ['/metrics', '/health/ready']) await audit.read(`${product.adminUrl}${path}`)
  await sql('SELECT * FROM rollcall.failed_events')
  await sql(`SELECT toUInt64(arrayJoin(problems)) FROM rollcall.failed_events`)
  await sql('SELECT throwIf(1, toString(problems)) FROM rollcall.failed_events')
  const doctor = await cli('doctor')
  expect(doctor.out).toMatch(/There are failed events: .*not_storable/)
  expect(doctor.out).not.toContain('unbalanced_rows')
  const erased = await command('erase', { user: '4711', yes: true })
  expect(erased).toMatch(/"outcome":"done"/)
  await command('replay', {})
  expectNothingLeaked()
})

test('nothing of a person gets out when the platform fails, or what it says cannot be stored', async () => {
  await makeStoreRefuse({
    user_observations: `not startsWith(name, '${name}')`,
    guide_rows: `title != '${title}'`,
  })
  answers = {
    users: [200, JSON.stringify({ users: [person], has_more: false })],
    guides: [200, JSON.stringify([{ id: 1, title, name: title }])],
  }
  product = await startEmbedded(directory, env())
  const pulled = await cli('pull', 'users', 'guides')
  expect(pulled.out + pulled.err).toContain('could not be stored: the store refuses them')
  const said = JSON.stringify({
    error: `User ${name} <${email}> has no seat`,
    message: `${name} is inactive`,
  })
  const hostile: [number, string][] = [
    [200, `{"users": [{"name": "${name}"`],
    [200, JSON.stringify({ [name]: email })],
    [400, said],
    [401, said],
    [403, said],
    [404, said],
    [422, said],
    [302, said],
  ]
  for (const answer of hostile) {
    answers = { users: answer, webhook_subscriptions: answer }
    await command('pull', { names: ['users'], restart: true })
  }
  await command('register', { check: true, testEvent: false })
  await sql('SELECT * FROM rollcall.pulls')
  await read('/setup')
  await audit.read(`${product.adminUrl}/metrics`)
  expect(await product.stop()).toBe(0)
  const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  const records = await clickhouse.reader.query({
    query: 'SELECT * FROM rollcall.job_runs',
    format: 'JSONEachRow',
  })
  const jobRuns = await records.text()
  audit.note('job_runs', jobRuns)
  await clickhouse.close()
  expect(jobRuns).toContain('could not be stored')
  expectNothingLeaked()
})
