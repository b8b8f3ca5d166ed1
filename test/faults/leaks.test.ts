/**
 * Names, e-mails and tokens are put in everywhere, and the product is made to fail in every way at hand. Then everything that it
 * shows to people who may not see them is searched: logs, metrics, answers, job records, views, the command line.
 */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { toErrorText } from '../../services/runtime/describe-error.ts'
import { findRunning } from '../../services/runtime/control/control-client.ts'
import { runCli } from '../support/cli.ts'
import { startEmbedded, testToken, type Embedded } from '../support/embedded.ts'
import { findMarker, marker } from '../support/markers.ts'
import { monday, toBody } from '../support/records.ts'
import { copyStoreTemplate } from '../support/store-template.ts'
import { until } from '../support/wait.ts'

const { name, email, title } = marker
const platformToken = 'platform-token-that-nobody-may-see'
const tokens = [testToken, platformToken, 'an-unknown-token-of-annelore-markworth-0123456789']

let directory: string
let platform: Server
/** What the platform answers next, by the path's last word. */
let answers: Record<string, [number, string]>
let product: Embedded | undefined
/** Everything that came out, each with where. */
let seen: [string, string][]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rollcall-leaks-'))
  seen = []
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
  await rm(directory, { recursive: true, force: true })
})

const env = () => ({
  LOG_LEVEL: 'debug',
  PLATFORM_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
  PLATFORM_TOKEN: platformToken,
  PULL_USERS_SCHEDULE: 'off',
  PULL_GUIDES_SCHEDULE: 'off',
  PULL_GUIDE_CHANGES_SCHEDULE: 'off',
  PULL_GUIDE_ASSIGNMENTS_SCHEDULE: 'off',
  RECONCILE_SCHEDULE: 'off',
})

async function send(what: string, body: string | Uint8Array, init: RequestInit = {}, url = product?.ingestUrl ?? '') {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body), ...init })
  seen.push([`answer to ${what}`, `${JSON.stringify([...answer.headers])} ${await answer.text()}`])
  return answer.status
}

async function read(path: string, base = product?.dashboardUrl ?? '', init: RequestInit = {}): Promise<string> {
  const answer = await fetch(`${base}${path}`, init)
  const text = await answer.text()
  seen.push([`${path} ${JSON.stringify(init.body ?? '')}`, text])
  return text
}

const sql = (statement: string) => read('/api/sql', undefined, { method: 'POST', body: statement })

async function cli(...words: string[]) {
  const run = await runCli(words, { DATA_DIR: directory, INGEST_TOKENS: `main=${testToken}`, ...env() })
  seen.push([`rollcall ${words.join(' ')}`, `${run.out}\n${run.err}`])
  return run
}

/** As the command line asks the running process, without a process of its own for every question. */
async function command(name: string, args: object) {
  const running = await findRunning(directory)
  const io = {
    report: (progress: object) => void seen.push([`progress of ${name}`, JSON.stringify(progress)]),
    write: async (bytes: Uint8Array) => void seen.push([`bytes of ${name}`, Buffer.from(bytes).toString()]),
    signal: new AbortController().signal,
  }
  const said = await running?.run(name, args, io).catch((error: unknown) => toErrorText(error))
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  seen.push([`${name} ${JSON.stringify(args)}`, text ?? ''])
  return text ?? ''
}

const person = { id: 4711, name, email, groups: [{ id: 'g1', name: title }], custom: { nickname: name } }
const event = (id: string) => toBody('Created', id, monday, {}, person).toString().replace('First call', title)

/** Broken in every way that the receiver tells apart, and full of names. */
async function sendBrokenDeliveries(): Promise<void> {
  const whole = event('broken')
  expect(await send('half a body', whole.slice(0, -20))).toBe(400)
  expect(await send('a bare name', `${name} <${email}>`)).toBe(400)
  expect(await send('a name behind the end', `{} ${name}`)).toBe(400)
  expect(await send('a line break in a name', `{"name": "${name}\n${email}"}`)).toBe(400)
  expect(await send('bytes that are no text', Buffer.concat([Buffer.from(whole), Buffer.from([0xff])]))).toBe(400)
  expect(await send('a list', JSON.stringify([person]))).toBe(422)
  expect(await send('a person alone', JSON.stringify({ user: person }))).toBe(422)
  expect(await send('a name for a time', JSON.stringify({ eventType: name, timestamp: email }))).toBe(422)
  expect(
    await send('fields of the wrong type', whole.replace('"status":"not_started"', `"status":{"${name}":1}`)),
  ).toBe(200)
  expect(
    await send('half a pair', `{"eventType":"x","timestamp":${monday},"user":{"id":1,"name":"${name} \\ud800"}}`),
  ).toBe(200)
  expect(await send('a name for a method', whole, { method: 'PUT' })).toBe(405)
  expect(await send('a media type', whole, { headers: { 'content-type': `text/${marker.name.split(' ')[0]}` } })).toBe(
    415,
  )
  const url = new URL(product?.ingestUrl ?? '')
  expect(await send('a wrong token', whole, {}, `${url.origin}/webhooks/${tokens[2]}`)).toBe(404)
  expect(await send('too much', `${whole}${' '.repeat(2 * 1024 ** 2)}`)).toBe(413)
}

/** The store refuses what is named; its error quotes all values of the row. */
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
  seen.push(['log of the product', product?.output() ?? ''])
  // Whoever may read the data directory may have its own address.
  const secrets = tokens.map((token) => [token, seen.find(([, text]) => text.includes(token))?.[0]])
  const leaks = seen.flatMap(([where, text]) => {
    const found = findMarker(text)
    return found === undefined ? [] : [`${where}: ${found}`]
  })
  expect(leaks).toEqual([])
  expect(secrets).toEqual(tokens.map((token) => [token, undefined]))
}

test('nothing of a person gets out when deliveries and inserts fail', async () => {
  await makeStoreRefuse({ user_observations: `not startsWith(name, '${name}')`, names: `name != '${title}'` })
  product = await startEmbedded(directory, env())
  expect(await send('an event', event('a1'))).toBe(200)
  const isRefused = async () =>
    /VIOLATED_CONSTRAINT/.test((product?.output() ?? '') + (await sql('SELECT * FROM rollcall.failed_events')))
  await until(isRefused, Boolean, { describe: () => product?.output() ?? '' })
  await sendBrokenDeliveries()
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
  for (const path of ['/metrics', '/health/ready']) await read(path, product.adminUrl)
  await sql('SELECT * FROM rollcall.failed_events')
  await sql(`SELECT toUInt64(arrayJoin(problems)) FROM rollcall.failed_events`)
  await sql('SELECT throwIf(1, toString(problems)) FROM rollcall.failed_events')
  const doctor = await cli('doctor')
  expect(doctor.out).toMatch(/Failed events are kept: .*not_storable/)
  expect(doctor.out).not.toContain('unbalanced_rows')
  const erased = await command('erase', { userId: '4711', confirmed: true })
  expect(erased).toMatch(/"outcome":"done"/)
  await command('replay', { from: 'failed', dryRun: false })
  expectNothingLeaked()
})

test('nothing of a person gets out when the platform fails, or what it says cannot be stored', async () => {
  await makeStoreRefuse({ user_observations: `not startsWith(name, '${name}')`, guide_rows: `title != '${title}'` })
  answers = {
    users: [200, JSON.stringify({ users: [person], has_more: false })],
    guides: [200, JSON.stringify([{ id: 1, title, name: title }])],
  }
  product = await startEmbedded(directory, env())
  const pulled = await cli('pull', 'users', 'guides')
  expect(pulled.out + pulled.err).toContain('could not be stored: the store refuses them')
  const said = JSON.stringify({ error: `User ${name} <${email}> has no seat`, message: `${name} is inactive` })
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
  await command('register', { mode: 'check', testEvent: false })
  await sql('SELECT * FROM rollcall.pulls')
  await read('/setup')
  await read('/metrics', product.adminUrl)
  expect(await product.stop()).toBe(0)
  const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  const records = await clickhouse.reader.query({ query: 'SELECT * FROM rollcall.job_runs', format: 'JSONEachRow' })
  seen.push(['job_runs', await records.text()])
  await clickhouse.close()
  expect(seen.at(-1)?.[1]).toContain('could not be stored')
  expectNothingLeaked()
})
