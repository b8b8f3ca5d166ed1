/**
 * Names, e-mails, tokens and secrets are put in everywhere, and the product is made to fail in every way at hand. Then everything that
 * it shows to people who may not see them is searched: logs, metrics, answers, job records, views, the command line. Chaos searches
 * the logs of every run likewise, while servers are away.
 */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '../../services/access/passwords.ts'
import { toErrorText } from '../../services/runtime/describe-error.ts'
import { findRunning } from '../../services/runtime/control/control-client.ts'
import { findMarker, marker } from '../support/data/markers.ts'
import { monday, toBody } from '../support/data/records.ts'
import { testDirectory } from '../support/directories.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { follow } from '../support/network/follow.ts'
import { runCli } from '../support/processes/cli.ts'
import { testToken } from '../support/processes/embedded.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { openProduct, type Product } from '../support/processes/product.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'
import { openDirectory } from '../support/store/store.ts'

const { name, email, title } = marker
const broker = await findBroker()
const platformToken = 'platform-token-that-nobody-may-see'
const unknownToken = 'an-unknown-token-of-annelore-markworth-0123456789'

const person = {
  id: 4711,
  name,
  email,
  groups: [{ id: 'g1', name: title }],
  custom: { nickname: name },
}
const event = toBody('Created', 'a1', monday, {}, person).toString().replace('First call', title)
/** The store refuses these rows; its error quotes all values of the row. */
const refused = { user_observations: `not startsWith(name, '${name}')`, names: `name != '${title}'` }
const toConstraints = (tables: Record<string, string>) =>
  Object.entries(tables).map(
    ([table, condition]) => `ALTER TABLE rollcall.${table} ADD CONSTRAINT never_these CHECK ${condition}`,
  )

let directory: string
/** What came out, and where. */
let seen: [where: string, text: string][]
let secrets: string[]
/** The next answers of the platform, by the path's last word. */
let answers: Record<string, [number, string]>
let server: Server
let serverUrl: string

beforeEach(async () => {
  directory = testDirectory()
  ;[seen, secrets, answers] = [[], [testToken, platformToken, unknownToken], {}]
  server = createServer((request, response) => {
    const last = new URL(request.url ?? '', 'http://platform').pathname.split('/').at(-1) ?? ''
    const [status, body] = answers[last] ?? [404, '{"error":"Not found"}']
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const platformEnv = () => ({
  LOG_LEVEL: 'debug',
  PLATFORM_URL: serverUrl,
  PLATFORM_TOKEN: platformToken,
  PULL_SCHEDULE: 'off',
  RECONCILE_SCHEDULE: 'off',
})

const note = (where: string, text: string) => void seen.push([where, text])

/** Keeps an answer, and gives its status and text. */
async function read(url: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  const text = await answer.text()
  note(`${url} ${JSON.stringify(init.body ?? '')}`.replaceAll(testToken, ''), text)
  note('headers', JSON.stringify([...answer.headers]))
  return { status: answer.status, text }
}

async function send(url: string, body: string | Uint8Array, init: RequestInit = {}): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body), ...init })
  note(`answer to ${Buffer.from(body).toString('base64').slice(0, 40)}`, await answer.text())
  return answer.status
}

async function cli(words: string[], env: Record<string, string>): Promise<string> {
  const { out, err } = await runCli(words, env)
  // The words that the caller has typed are theirs.
  note(`rollcall ${words[0]}`, words.includes(name) ? `${out}${err}`.replaceAll(name, '') : out + err)
  return out + err
}

/** As the command line asks the running process, without a process of its own for every question. */
async function command(what: string, args: object): Promise<string> {
  const running = await findRunning(directory)
  const io = {
    report: (progress: object) => note(`progress of ${what}`, JSON.stringify(progress)),
    signal: new AbortController().signal,
  }
  const said = await running?.run(what, args, io).catch((error: unknown) => toErrorText(error))
  const text = typeof said === 'string' ? said : JSON.stringify(said ?? '')
  note(`${what} ${JSON.stringify(args)}`, text)
  return text
}

/** Deliveries that are broken in every way that the receiver tells apart, and full of names. */
async function sendBroken(url: string): Promise<void> {
  const retyped = event.replace('"status":"not_started"', `"status":{"${name}":1}`)
  const halfPair = `{"eventType":"x","timestamp":${monday},"user":{"id":1,"name":"${name} \\ud800"}}`
  const bodies: [status: number, body: string | Uint8Array, init?: RequestInit][] = [
    [400, event.slice(0, -20)],
    [400, `${name} <${email}>`],
    [400, `{} ${name}`],
    [400, `{"name": "${name}\n${email}"}`],
    [400, Buffer.concat([Buffer.from(event), Buffer.from([0xff])])],
    [422, JSON.stringify([person])],
    [422, JSON.stringify({ user: person })],
    [422, JSON.stringify({ eventType: name, timestamp: email })],
    [200, retyped],
    [200, halfPair],
    [405, event, { method: 'PUT' }],
    [415, event, { headers: { 'content-type': `text/${name.split(' ')[0]}` } }],
    [413, `${event}${' '.repeat(2 * 1024 ** 2)}`],
  ]
  for (const [status, body, init] of bodies) expect(await send(url, body, init)).toBe(status)
  expect(await send(url.replace(testToken, unknownToken), event)).toBe(404)
}

async function makeStoreRefuse(tables: Record<string, string>): Promise<void> {
  const store = join(directory, 'clickhouse')
  copyStoreTemplate(store)
  const clickhouse = await openDirectory(store)
  for (const query of toConstraints(tables)) await clickhouse.writer.command({ query })
  await clickhouse.close()
}

async function open(mode: Product['mode'], env: Record<string, string>): Promise<Product> {
  const product = await openProduct(mode, { directory, env, broker })
  onTestFinished(() => product.dispose())
  return product
}

async function endAndSearch(product: Product): Promise<void> {
  await product.stop()
  note('log of the product', product.output())
  const leaks = seen.flatMap(([where, text]) => [
    ...secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
    ...(findMarker(text) === undefined ? [] : [`${where}: ${findMarker(text)}`]),
  ])
  expect(leaks).toEqual([])
}

describe.each(['embedded', 'distributed'] as const)('%s', (mode) => {
  test.skipIf(mode === 'distributed' && broker === undefined)(
    'nothing of a person gets out when deliveries and inserts fail',
    async () => {
      if (mode === 'embedded') await makeStoreRefuse(refused)
      const product = await open(mode, platformEnv())
      const { ingestUrl, dashboardUrl, servers } = product
      if (servers !== undefined) {
        const { url, username, password } = servers.clickhouse
        const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
        for (const body of toConstraints(refused))
          expect((await fetch(url, { method: 'POST', headers, body })).ok).toBe(true)
      }
      expect(await send(ingestUrl, event)).toBe(200)
      await sendBroken(ingestUrl)
      const failed = 'SELECT reasons, problems FROM rollcall.failed_events'
      const rows = await until(
        async () => JSON.stringify(await product.select(failed)),
        (text) => text.includes('not_storable'),
        { describe: product.output },
      )
      note('failed events', rows)
      // The other pages show people to those who may see them.
      for (const path of [
        '/health',
        '/setup',
        '/api/metrics',
        '/api/openapi.json',
        '/health/ready',
        '/nowhere',
      ])
        await read(`${dashboardUrl}${path}`)
      for (const { adminUrl } of product.processes)
        for (const path of ['/metrics', '/health/ready', '/spool', '/nowhere'])
          await read(`${adminUrl}${path}`)
      for (const column of ['toUInt64(arrayJoin(problems))', 'throwIf(1, toString(problems))']) {
        const body = `SELECT ${column} FROM rollcall.failed_events`
        await read(`${dashboardUrl}/api/sql`, { method: 'POST', body })
      }
      expect(await cli(['doctor'], product.env)).toMatch(
        /No number includes these failed events: .*not_storable/,
      )
      for (const words of [['ledger'], ['erase', '--user', name]]) await cli(words, product.env)
      if (mode === 'embedded') {
        expect(await command('erase', { user: '4711', yes: true })).toMatch(/"outcome":"done"/)
        await command('replay', {})
      }
      await endAndSearch(product)
    },
  )
})

test('nothing of a person gets out when the platform fails, or what it says cannot be stored', async () => {
  await makeStoreRefuse({ ...refused, guide_rows: `title != '${title}'` })
  answers = {
    users: [200, JSON.stringify({ users: [person], has_more: false })],
    guides: [200, JSON.stringify([{ id: 1, title, name: title }])],
  }
  const product = await open('embedded', platformEnv())
  expect(await command('pull', { names: ['users', 'guides'], restart: false })).toContain(
    'could not be stored: the store refuses them',
  )
  const said = JSON.stringify({
    error: `User ${name} <${email}> has no seat`,
    message: `${name} is inactive`,
  })
  const hostile: [number, string][] = [
    [200, `{"users": [{"name": "${name}"`],
    [200, JSON.stringify({ [name]: email })],
    ...[400, 401, 403, 404, 422, 302].map((status): [number, string] => [status, said]),
  ]
  for (const answer of hostile) {
    answers = { users: answer, webhook_subscriptions: answer }
    await command('pull', { names: ['users'], restart: true })
  }
  await command('register', { check: true, testEvent: false })
  note('pulls', JSON.stringify(await product.select('SELECT * FROM rollcall.pulls')))
  await read(`${product.dashboardUrl}/setup`)
  await read(`${product.ingest.adminUrl}/metrics`)
  await endAndSearch(product)
})

test('no secret and no address of a person gets out where sign-in, mail and channels fail', async () => {
  const own = {
    password: 'correct-horse-battery-of-the-owner',
    wrongPassword: 'wrong-horse-battery-of-nobody',
    session: 'a-session-secret-of-more-than-32-characters',
    smtp: 'smtp-password-that-nobody-may-see',
    alertChannel: 'T0/B0/alert-channel-secret',
    digestChannel: 'T0/B0/digest-channel-secret',
    signature: 'whsec_c2lnbmF0dXJlLXNlY3JldC1vZi10ZXN0cy0wMTIzNDU2Nzg5',
  }
  secrets.push(...Object.values(own))
  const product = await open('embedded', {
    LOG_LEVEL: 'debug',
    DASHBOARD_AUTH: 'password',
    DASHBOARD_URL: 'http://127.0.0.1:3000',
    DASHBOARD_SESSION_SECRETS: own.session,
    SMTP_URL: `smtp://rollcall:${own.smtp}@127.0.0.1:${await findFreePort()}`,
    MAIL_FROM: 'Rollcall <rollcall@example.com>',
    ALERT_CHANNEL_URL: `${serverUrl}/${own.alertChannel}`,
    DIGEST_CHANNEL_URL: `${serverUrl}/${own.digestChannel}`,
    PLATFORM_URL: serverUrl,
    PLATFORM_TOKEN: platformToken,
    INGEST_SIGNATURE_SECRETS: `main=standard:${own.signature}`,
  })
  const { dashboardUrl, env, output } = product
  answers = { users: [403, '{}'] }

  const running = await findRunning(directory)
  const io = { report: () => {}, signal: new AbortController().signal }
  const passwordHash = await hashPassword(own.password)
  const owner = { email, role: 'owner', names: true, userId: '', passwordHash }
  expect(JSON.stringify(await running?.run('user-add', owner, io))).toContain('has the role owner')
  const script = { name: 'script', role: 'analyst', names: false, userId: '', days: 3 }
  const made = JSON.stringify(await running?.run('token-create', script, io))
  const token = /rc_[\w-]{20,}|[\w-]{40,}/.exec(made)?.[0] ?? 'none'
  secrets.push(token)

  // Dashboards hear of a change by the command line within seconds.
  const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })
  await until(async () => (await fetch(`${dashboardUrl}/api/metrics`, bearer(token))).ok)
  const post = (path: string, fields: Record<string, string>, cookie = '') => ({
    url: `${dashboardUrl}${path}`,
    init: {
      method: 'POST',
      redirect: 'manual' as const,
      body: new URLSearchParams(fields),
      headers: { cookie, origin: dashboardUrl },
    },
  })
  const wrong = { login: 'nobody@example.com', password: own.wrongPassword, back: '/' }
  const unknown = post('/sign-in', wrong)
  await read(unknown.url, unknown.init)
  const right = post('/sign-in', { login: email, password: own.password, back: '/' })
  const signedIn = await fetch(right.url, right.init)
  expect(signedIn.status).toBe(303)
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  secrets.push(cookie.slice(cookie.indexOf('=') + 1))
  expect((await read(`${dashboardUrl}/api/metrics`, bearer(token))).status).toBe(200)
  expect(
    (await read(`${dashboardUrl}/api/metrics`, bearer('not-a-token-of-rollcall-0123456789'))).status,
  ).toBe(401)
  await read(`${dashboardUrl}/api/sql`, { method: 'POST', body: 'SELECT', ...bearer(token) })
  await read(`${dashboardUrl}/api/metrics`, { headers: { cookie: `${cookie}x` } })
  // To the owner's own address, which the page may show; the server is not there.
  const mail = post('/digest/test', {}, cookie)
  const toPage = (path: string, sent: string) =>
    fetch(`${dashboardUrl}${path}`, { headers: { cookie: sent } })
  const tested = await follow(await fetch(mail.url, mail.init), toPage, cookie)
  expect(await tested.text()).toContain('It was not sent')
  for (const path of ['/health', '/setup', '/access', '/api/openapi.json']) {
    const text = await (await toPage(path, cookie)).text()
    note(`${path} of the owner`, text.replaceAll(email, '').replaceAll(name, ''))
  }
  for (const path of ['/metrics', '/health/ready']) await read(`${product.ingest.adminUrl}${path}`)
  await cli(['doctor'], env)
  // The platform refuses the token, which the log says.
  await until(() => output().includes('"msg":"A job failed"'))
  const wrongEnv = { ...env, SMTP_URL: own.smtp, ALERT_CHANNEL_URL: own.alertChannel }
  expect(await cli(['doctor'], wrongEnv)).toContain('SMTP_URL')
  await endAndSearch(product)
})
