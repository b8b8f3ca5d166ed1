/** SQL at the root of a port of its own, where people sign in: the same readers, rights and limits as `/api/sql`. */
import { request } from 'node:http'
import { createClient } from '@clickhouse/client'
import { afterAll, expect, test } from 'vitest'
import { checkSignIn } from '../../dashboards/access/entrance.ts'
import { createSqlRoot } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { configure, openCompany, strangers, type Company } from '../dashboards/access/company.ts'

const tokens: Record<string, string> = {}
const company = await openCompany()
const server = await listen({
  handler: createSqlRoot(company.app),
  host: '127.0.0.1',
  port: 0,
  portVariable: 'SQL_PORT',
})
const token = async (...asked: Parameters<Company['as']>) =>
  (await company.as(...asked)).authorization?.slice('Bearer '.length) ?? ''
for (const role of ['owner', 'analyst', 'manager'] as const) tokens[role] = await token(role)
tokens['named analyst'] = await token('analyst', { names: true })
afterAll(async () => {
  await server.close(1_000)
  await company.close()
})

type Answer = { status: number | undefined; text: string }

/** Written to the socket as it is: `fetch` would tidy the path. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path, headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode, text }))
    })
      .on('error', reject)
      .end()
  })
}

const select = `/?query=${encodeURIComponent('SELECT count() FROM users')}`
const asPassword = (token: string) => ({
  authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}`,
})

test('takes a token as the password, in each form that tools use', async () => {
  const { owner = '' } = tokens
  for (const headers of [
    asPassword(owner),
    { 'x-clickhouse-user': 'any', 'x-clickhouse-key': owner },
    { authorization: `Bearer ${owner}` },
  ]) {
    expect(await ask(select, headers)).toEqual({ status: 200, text: '7\n' })
    expect(await ask('/ping', headers)).toEqual({ status: 200, text: 'Ok.\n' })
  }
  const client = createClient({ url: server.url, username: 'any', password: owner })
  expect(await client.ping()).toEqual({ success: true })
  const rows = await client.query({ query: 'SELECT count() AS n FROM users', format: 'JSONEachRow' })
  expect(await rows.json()).toEqual([{ n: 7 }])
  await client.close()
})

test('answers nothing without a token, and only to those who may ask SQL', async () => {
  const wrong = [{}, asPassword('rollcall_wrong'), asPassword('')]
  for (const headers of wrong) {
    for (const path of [select, '/', '/ping'])
      expect([path, (await ask(path, headers)).status]).toEqual([path, 401])
  }
  expect((await ask(select)).text).toContain('as the password of an SQL tool')
  const { status, text } = await ask(select, asPassword(tokens.manager ?? ''))
  expect(status).toBe(403)
  expect(text).not.toContain('7')
})

test('gives names only where they are granted', async () => {
  const people = `/?query=${encodeURIComponent('SELECT * FROM people')}`
  expect((await ask(people, asPassword(tokens.analyst ?? ''))).status).toBe(403)
  const granted = await ask(people, asPassword(tokens['named analyst'] ?? ''))
  expect(granted.text).toContain(strangers[0]?.name)
})

test('leads to no page and no other path, however it is written', async () => {
  const headers = asPassword(tokens.owner ?? '')
  for (const path of [
    '/api/sql',
    '/api/metrics',
    '/access',
    '/../metrics',
    '/../../access',
    '/ping/../../metrics',
    '/%2e%2e/metrics',
    '//metrics',
    '/./',
    'http://localhost/api/metrics',
    '/constructor',
    '/?/../../metrics',
  ]) {
    const { status, text } = await ask(path, headers)
    expect([path, status === 404 || text === 'Ok.\n']).toEqual([path, true])
  }
  expect((await ask('/access', headers)).text).toBe('There is no such handle: SQL is answered at /\n')
})

test('is refused where it would be open to others without sign-in', () => {
  const check = (env: Record<string, string>) => () => checkSignIn(configure({ SQL_PORT: '8123', ...env }))
  for (const DASHBOARD_AUTH of ['none', 'none-and-i-know']) {
    expect(check({ DASHBOARD_AUTH, HOST: '0.0.0.0' })).toThrow(
      /^SQL_PORT would be open to everybody.*0\.0\.0\.0/,
    )
    expect(check({ DASHBOARD_AUTH })).not.toThrow()
  }
  expect(check({ DASHBOARD_AUTH: 'password', HOST: '0.0.0.0' })).not.toThrow()
})
