import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'node:http'
import { hostname } from 'node:os'
import { Counter } from 'prom-client'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { createAdminApp } from '../../services/runtime/process.ts'
import { knownHostsOnly } from '../../services/runtime/http/known-hosts.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { rollcallCommand } from '../../services/runtime/rollcall-command.ts'
import { createTelemetry } from '../../services/runtime/telemetry.ts'
import { testDirectory } from '../support/directories.ts'
import { parseConfig } from '../../services/config/config.ts'
import { toDashboardSettings } from '../../dashboards/settings.ts'

test('the admin port adds up the metrics of all threads and says whether all is ready', async () => {
  const threads = [createTelemetry(), createTelemetry()]
  for (const { registry } of threads) {
    new Counter({ name: 'things_total', help: 'Things.', labelNames: ['kind'], registers: [registry] }).inc(
      { kind: 'a' },
      2,
    )
  }
  let isReady = true
  const app = createAdminApp({
    metrics: [
      ...threads.map(({ snapshot }) => snapshot),
      () => Promise.reject(new Error('a thread that is gone')),
    ],
    isReady: () => (isReady ? { ok: true } : { ok: false, reason: 'stopping' }),
    isPrivate: false,
  })
  const metrics = await app.request('/metrics')
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await metrics.text()).toContain('things_total{kind="a"} 4')
  expect((await app.request('/health/ready')).status).toBe(200)
  isReady = false
  expect((await app.request('/health/ready')).status).toBe(503)
  expect((await app.request('/health/live')).status).toBe(200)
})

test('the admin port answers a website’s name for this machine with nothing', async () => {
  const ask = async (isPrivate: boolean, host: string) => {
    const app = createAdminApp({ metrics: [], isReady: () => ({ ok: true }), isPrivate })
    return (await app.request('/metrics', { headers: { host } })).status
  }
  for (const host of ['127.0.0.1:9464', 'localhost:9464', '[::1]:9464', '10.1.2.3'])
    expect(await ask(true, host)).toBe(200)
  expect(await ask(true, 'evil.example:9464')).toBe(421)
  // A Prometheus comes by the name of a pod, which nobody configures.
  expect(await ask(false, 'consumer-0.rollcall:9464')).toBe(200)
})

const app = new Hono()
app.use(knownHostsOnly(['rollcall.example.com'], 'DASHBOARD_HOSTS'))
app.get('/', (c) => c.text('numbers'))
const server = await listen({ handler: app, host: '127.0.0.1', port: 0, portVariable: 'DASHBOARD_PORT' })
afterAll(() => server.close(1_000))

function ask(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

test('dashboards of this machine answer to addresses, localhost and the names that they are given', async () => {
  for (const host of ['127.0.0.1:3000', '[::1]:3000', 'localhost:3000', 'rollcall.localhost', '10.1.2.3']) {
    expect([host, await ask(host)]).toEqual([host, 200])
  }
  expect(await ask('Rollcall.Example.com:3000')).toBe(200)
})

test('a name that leads here without being known gets nothing, so a website cannot read what is here', async () => {
  for (const host of [
    'evil.example',
    'evil.example:3000',
    'rollcall.example.com.evil.example',
    'localhost.evil.example',
  ]) {
    expect([host, await ask(host)]).toEqual([host, 421])
  }
})

test('names are checked where no one signs in, on any address; where only this machine is listened to; where some are set', () => {
  const own = hostname().toLowerCase()
  const hosts = (env: Record<string, string>) => {
    const result = parseConfig(env)
    if (!result.ok) throw new Error(result.problems.join())
    return toDashboardSettings(result.config).hosts
  }
  expect(hosts({})).toEqual([own])
  expect(hosts({ DASHBOARD_HOSTS: 'A.example, b.example' })).toEqual(['a.example', 'b.example', own])
  const site = { DASHBOARD_URL: 'https://rollcall.example' }
  expect(hosts({ HOST: '0.0.0.0', DASHBOARD_AUTH: 'none-and-i-know', ...site })).toEqual([
    'rollcall.example',
    own,
  ])
  expect(hosts({ HOST: '0.0.0.0', DASHBOARD_AUTH: 'password' })).toBeUndefined()
  const named = { HOST: '0.0.0.0', DASHBOARD_AUTH: 'password', DASHBOARD_HOSTS: 'a.example' }
  expect(hosts({ ...named, ...site })).toEqual(['a.example', 'rollcall.example', own])
  expect(parseConfig({ DASHBOARD_HOSTS: 'http://a.example' }).ok).toBe(false)
})

test('advice names npx only where there is one', () => {
  const directory = testDirectory()
  expect(rollcallCommand(directory)).toBe('rollcall')
  writeFileSync(join(directory, 'npx'), '')
  expect(rollcallCommand(`/nowhere:${directory}`)).toBe('npx rollcall')
})
