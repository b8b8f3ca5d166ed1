/** Names from outside that every object has. No look-up finds them. */
import { afterAll, expect, test } from 'vitest'
import { toCamelCase } from '../../services/platform/read-answer.ts'
import { openAnalystEndpoint, openCompanyDashboards } from './store-dashboards.ts'

const company = await openCompanyDashboards()
const sql = await openAnalystEndpoint(company.store)
afterAll(() => company.close())

const names = ['__proto__', 'toString', 'constructor', 'hasOwnProperty']

test.each(names)('a request that says %s is answered as one with any unknown name', async (name) => {
  const asked = [
    ...['/', '/assignments', '/teams', '/data', '/grading', '/api/metrics'].flatMap((path) =>
      [`${name}=1`, `period=${name}`, `sort=${name}`, `sample=${name}`, `table=${name}`].map(
        (query) => `${path}?${query}`,
      ),
    ),
    `/assignments?metric=${name}&part=value`,
    ...['aging', 'on_time_rate', 'weeks'].flatMap((metric) =>
      [name, `excluded.${name}`, `2026-01-05.${name}`].map(
        (part) => `/assignments?metric=${metric}&part=${part}`,
      ),
    ),
  ]
  for (const path of asked) {
    for (const headers of [{}, { cookie: `rollcall_language=${name}`, 'accept-language': name }]) {
      const answer = await company.dashboards.app.request(path, { headers })
      expect([path, answer.status < 500]).toEqual([path, true])
      expect(await answer.text()).not.toMatch(/native code|\[object /)
    }
  }
})

test.each(names)(
  'SQL: %s is no encoding and no setting, and can be the name of a parameter',
  async (name) => {
    const headers = { 'accept-encoding': name }
    const plain = await sql.request('/?query=SELECT+1', { headers })
    expect([plain.status, plain.headers.get('content-encoding'), await plain.text()]).toEqual([
      200,
      null,
      '1\n',
    ])
    const packed = { method: 'POST', body: 'SELECT 1', headers: { 'content-encoding': name } }
    expect((await sql.request('/', packed)).status).toBe(501)
    expect((await sql.request(`/?query=SELECT+1&${name}=1`)).status).toBe(403)
    const given = await sql.request(
      `/?query=${encodeURIComponent(`SELECT {${name}:String}`)}&param_${name}=x`,
    )
    expect(await given.text()).toBe('x\n')
  },
)

test.each(names)('a field of the platform may be called %s', (name) => {
  const record = toCamelCase(JSON.parse(`{"${name}":{"id":1},"value_of":"a"}`)) as object
  expect(JSON.stringify(record)).toBe(`{"${name}":{"id":1},"valueOf":"a"}`)
  expect('id' in record).toBe(false)
})
