/**
 * Secrets that people sign in with, that open a page without it, or that reach mail and channels: none of them, and no address, is in
 * a log, a metric, an answer to somebody else, or the output of the command line.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '../../services/access/passwords.ts'
import { findRunning } from '../../services/runtime/control/control-client.ts'
import { findMarker, marker } from '../support/data/markers.ts'
import { runCli } from '../support/processes/cli.ts'
import { startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'
import { follow } from '../support/network/follow.ts'
import { testDirectory } from '../support/directories.ts'

const secrets = {
  password: 'correct-horse-battery-of-the-owner',
  wrongPassword: 'wrong-horse-battery-of-nobody',
  session: 'a-session-secret-of-more-than-32-characters',
  smtp: 'smtp-password-that-nobody-may-see',
  alertChannel: 'T0/B0/alert-channel-secret',
  digestChannel: 'T0/B0/digest-channel-secret',
  platform: 'platform-token-that-nobody-may-see',
  signature: 'whsec_c2lnbmF0dXJlLXNlY3JldC1vZi10ZXN0cy0wMTIzNDU2Nzg5',
}
const noToken = 'not-a-token-of-rollcall-0123456789abcdefghi'

let directory: string
let channel: Server
let product: Embedded | undefined

beforeEach(async () => {
  directory = testDirectory()
  channel = createServer((_, response) => response.writeHead(403).end('no')).listen(0, '127.0.0.1')
  await once(channel, 'listening')
})
afterEach(async () => {
  await product?.kill()
  product = undefined
  channel.close()
  channel.closeAllConnections()
})

test('no secret and no address of a person gets out where sign-in, mail and channels fail', async () => {
  const channelUrl = `http://127.0.0.1:${(channel.address() as AddressInfo).port}`
  const env = {
    LOG_LEVEL: 'debug',
    DASHBOARD_AUTH: 'password',
    DASHBOARD_URL: 'http://127.0.0.1:3000',
    DASHBOARD_SESSION_SECRETS: secrets.session,
    SMTP_URL: `smtp://rollcall:${secrets.smtp}@127.0.0.1:${await findFreePort()}`,
    MAIL_FROM: 'Rollcall <rollcall@example.com>',
    ALERT_CHANNEL_URL: `${channelUrl}/${secrets.alertChannel}`,
    DIGEST_CHANNEL_URL: `${channelUrl}/${secrets.digestChannel}`,
    PLATFORM_URL: channelUrl,
    PLATFORM_TOKEN: secrets.platform,
    INGEST_SIGNATURE_SECRETS: `main=standard:${secrets.signature}`,
  }
  product = await startEmbedded(directory, env)
  const { dashboardUrl, adminUrl, output } = product
  const seen: [string, string][] = []
  const found: string[] = Object.values(secrets)

  const running = await findRunning(directory)
  const io = { report: () => {}, signal: new AbortController().signal }
  const owner = {
    email: marker.email,
    role: 'owner',
    names: true,
    userId: '',
    passwordHash: await hashPassword(secrets.password),
  }
  expect(JSON.stringify(await running?.run('user-add', owner, io))).toContain('has the role owner')
  const made = JSON.stringify(
    await running?.run(
      'token-create',
      { name: 'script', role: 'analyst', names: false, userId: '', days: 3 },
      io,
    ),
  )
  const token = /rc_[\w-]{20,}|[\w-]{40,}/.exec(made)?.[0] ?? ''
  expect(token).not.toBe('')
  found.push(token)

  const send = async (path: string, init: RequestInit = {}) =>
    fetch(`${dashboardUrl}${path}`, { redirect: 'manual', ...init })
  const post = async (path: string, fields: Record<string, string>, cookie = '') =>
    send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie, origin: dashboardUrl },
    })
  /** An answer that holds nothing of the above for anybody. */
  const note = async (what: string, answer: Response) => {
    seen.push([what, `${JSON.stringify([...answer.headers])} ${await answer.text()}`])
    return answer.status
  }

  // Dashboards hear of a change by the command line within seconds.
  const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })
  await until(async () => (await send('/api/metrics', bearer(token))).ok)
  const wrong = { login: marker.name, password: secrets.wrongPassword, back: '/' }
  await note('a wrong password', await post('/sign-in', { ...wrong, login: 'nobody@example.com' }))
  expect((await post('/sign-in', { ...wrong, login: marker.email })).status).toBe(401)
  const signedIn = await post('/sign-in', { login: marker.email, password: secrets.password, back: '/' })
  expect(signedIn.status).toBe(303)
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).not.toBe('')
  found.push(cookie.slice(cookie.indexOf('=') + 1))
  const toPage = async (path: string, own: string) => send(path, { headers: { cookie: own } })
  expect(await note('metrics by a token', await send('/api/metrics', bearer(token)))).toBe(200)
  expect(await note('a wrong token', await send('/api/metrics', bearer(noToken)))).toBe(401)
  await note(
    'a refused statement',
    await send('/api/sql', { method: 'POST', body: 'SELECT', ...bearer(token) }),
  )
  await note('a cookie that is none', await send('/api/metrics', { headers: { cookie: `${cookie}x` } }))
  // To the owner's own address, which the page may show; the server is not there.
  const tested = await follow(await post('/digest/test', {}, cookie), toPage, cookie)
  expect(await tested.text()).toContain('It was not sent')
  for (const path of ['/health', '/setup', '/access', '/api/openapi.json']) {
    const text = await (await send(path, { headers: { cookie } })).text()
    seen.push([`${path} of the owner`, text.replaceAll(marker.email, '').replaceAll(marker.name, '')])
  }
  for (const path of ['/metrics', '/health/ready']) await note(path, await fetch(`${adminUrl}${path}`))
  const doctor = await runCli(['doctor'], { DATA_DIR: directory, ...env })
  seen.push(['doctor', doctor.out + doctor.err])
  // The platform refuses the token, which the log says.
  await until(() => output().includes('"msg":"A job failed"'))
  expect(await product.stop(), output()).toBe(0)

  const wrongSetting = await runCli(['doctor'], {
    DATA_DIR: directory,
    ...env,
    SMTP_URL: secrets.smtp,
    ALERT_CHANNEL_URL: secrets.alertChannel,
  })
  seen.push(['settings that are wrong', wrongSetting.out + wrongSetting.err])
  expect(wrongSetting.err).toContain('SMTP_URL')
  seen.push(['log', output()])

  const leaks = seen.flatMap(([where, text]) => [
    ...found.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
    ...(findMarker(text) === undefined ? [] : [`${where}: ${findMarker(text)}`]),
  ])
  expect(leaks).toEqual([])
})
