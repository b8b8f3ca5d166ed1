import { request } from 'node:http'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { parseConfig } from '../../services/config/config.ts'
import { knownHostsOnly, toKnownHosts } from '../../services/runtime/http/known-hosts.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { toDashboardSettings } from '../../dashboards/settings.ts'

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

test('names are checked where only this machine is listened to, or where some are set', () => {
  const hosts = (env: Record<string, string>) => {
    const result = parseConfig(env)
    if (!result.ok) throw new Error(result.problems.join())
    return toDashboardSettings(result.config).hosts
  }
  expect(hosts({})).toEqual([])
  expect(hosts({ DASHBOARD_HOSTS: 'A.example, b.example' })).toEqual(['a.example', 'b.example'])
  expect(hosts({ HOST: '0.0.0.0' })).toBeUndefined()
  expect(hosts({ HOST: '0.0.0.0', DASHBOARD_HOSTS: 'a.example' })).toEqual(['a.example'])
  expect(parseConfig({ DASHBOARD_HOSTS: 'http://a.example' }).ok).toBe(false)
})

test('the admin port of a running process goes by the same rule', () => {
  const hosts = (env: Record<string, string>) => {
    const result = parseConfig(env)
    if (!result.ok) throw new Error(result.problems.join())
    return toKnownHosts(result.config.host, result.config.adminHosts)
  }
  expect(hosts({})).toEqual([])
  expect(hosts({ ADMIN_HOSTS: 'prometheus.internal' })).toEqual(['prometheus.internal'])
  expect(hosts({ HOST: '0.0.0.0' })).toBeUndefined()
})
