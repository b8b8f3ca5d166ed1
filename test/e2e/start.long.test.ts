import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { testDirectory } from '../support/directories.ts'
import { runToEnd } from '../support/processes/child.ts'
import { runCli } from '../support/processes/cli.ts'
import { deliver, startEmbeddedFromNothing } from '../support/processes/embedded.ts'
import { until } from '../support/wait.ts'

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

/** From nothing, with all that its start tells; it answers a moment before. */
async function start(env: Record<string, string>) {
  const product = await startEmbeddedFromNothing(directory, env)
  onTestFinished(() => product.kill())
  const told = await until(product.output, (text) => text.includes('"msg":"Running"'))
  const read = async (path: string, init?: RequestInit) =>
    (await fetch(product.dashboardUrl + path, init)).text()
  return { product, told, read }
}

test('works under any TZ of the environment', async () => {
  for (const TZ of ['CET-1CEST,M3.5.0,M10.5.0/3', 'Europe/Berlin ', 'UTC+2']) {
    const { product, read } = await start({ TZ })
    expect(await read('/api/sql', { method: 'POST', body: 'SELECT timezone(), 1' })).toBe('UTC\t1\n')
    expect(await product.stop()).toBe(0)
  }
})

test('without tokens makes one, logs the ingest URL this once, and tokens show prints it; meanwhile refuses another process', async () => {
  for (const isFirst of [true, false]) {
    const env = { INGEST_TOKENS: '', DASHBOARD_URL: 'https://rollcall.example.com' }
    const { product, told } = await start(env)
    const INGEST_PORT = new URL(product.ingestUrl).port
    const url = (await runCli(['tokens', 'show'], { DATA_DIR: directory, INGEST_PORT })).out.trim()
    expect(await (await deliver(url, '{"eventType":"x","timestamp":1}')).json()).toMatchObject({
      status: 'accepted',
    })
    const token = new URL(url).pathname.slice('/webhooks/'.length)
    expect([told.includes(token), token.length]).toEqual([isFirst, expect.toSatisfy((n) => n >= 22)])
    expect(statSync(join(directory, 'tokens.json')).mode & 0o077).toBe(0)
    // A log of JSON lines, with the address that people open.
    const lines = product.output().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ msg: 'Running', dashboard: env.DASHBOARD_URL }),
    )
    const ports = { INGEST_PORT: '0', ADMIN_PORT: '0', DASHBOARD_PORT: '0' }
    const other = await runToEnd('services/embedded/main.ts', { DATA_DIR: directory, ...ports })
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('another Rollcall runs on it')])
    expect(await product.stop()).toBe(0)
  }
})

test('is told in short lines, and says while no owner has a password', async () => {
  const env = { DASHBOARD_AUTH: 'password' }
  const { product } = await start(env)
  const warning = 'No owner has a password yet, so nobody can sign in.'
  const told = await until(product.output, (text) => text.includes(warning))
  for (const line of told.split('\n')) expect(line.length, line).toBeLessThan(300)
  const password = join(directory, 'password')
  await writeFile(password, 'correct horse battery staple\n')
  const words = ['user', 'add', 'ada@example.com', '--role', 'owner', '--password-file', password]
  expect(await runCli(words, { DATA_DIR: directory })).toMatchObject({ code: 0 })
  expect(await product.stop()).toBe(0)
  const again = await start(env)
  const body = new URLSearchParams({ login: 'ada@example.com', password: 'correct horse battery staple' })
  const url = `${again.product.dashboardUrl}/sign-in`
  const signedIn = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await again.read('/access', { headers: { cookie } })).toContain('ada@example.com')
  expect(again.product.output()).not.toContain(warning)
})

test('shows on the set-up page why a request was refused, and not the address that was tried', async () => {
  const { product, read } = await start({})
  const post = (url: string, type: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': type }, body: '{}' })
  expect((await post(product.ingestUrl, 'text/plain')).status).toBe(415)
  const guessed = product.ingestUrl.replace(/webhooks.*/, 'webhooks/guessed-address')
  expect((await post(guessed, 'application/json')).status).toBe(404)
  const page = await until(
    () => read('/setup'),
    (text) => text.includes('Answered 404: The address was not one of ours'),
  )
  expect(page).toContain('Answered 415: The content type must be application/json')
  expect(page).not.toContain('guessed-address')
})

test('keeps the ingest URL off the pages where others than this machine can reach them', async () => {
  const env = { INGEST_TOKENS: '', HOST: '0.0.0.0', DASHBOARD_AUTH: 'none-and-i-know' }
  const { told, read } = await start(env)
  const page = await read('/setup')
  expect(page).toContain('The process printed the address when it started')
  expect(page).not.toContain(/webhooks\/([\w-]{20,})/.exec(told)?.[1] ?? 'webhooks')
})
