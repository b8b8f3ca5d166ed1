/** Which person a reader with an email is, if several persons have it. */
import { afterAll, expect, test } from 'vitest'
import { monday, toBody } from '../../support/data/records.ts'
import { openCompany } from './company.ts'

const reportTo = (id: string, manager: string) =>
  toBody('Created', `a${id}`, monday, {}, { id, email: `p${id}@example.com`, managers: [{ id: manager }] })
const person = (id: string, email: string, more = {}) =>
  toBody('Created', `a${id}`, monday, {}, { id, email, ...more })
const company = await openCompany({
  env: { DASHBOARD_AUTH: 'proxy', DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/24', DASHBOARD_ROLES: 'manager=*' },
  bodies: [
    person('100', 'mia@example.com', { isDeleted: true }),
    person('200', 'Mia@example.com'),
    person('400', 'twin@example.com'),
    person('500', 'twin@example.com'),
    ...[
      ['301', '100'],
      ['302', '200'],
      ['304', '400'],
      ['305', '500'],
    ].map(([id = '', manager = '']) => reportTo(id, manager)),
  ],
})
afterAll(() => company.close())

test.each([
  ['mia@example.com', ['302']],
  ['twin@example.com', []],
])('%s sees the people %j: of an old account nobody, of two active ones nobody', async (email, people) => {
  const env = { incoming: { socket: { remoteAddress: '10.9.0.7' } } }
  const headers = { 'x-forwarded-email': email }
  const response = await company.app.request('/api/assignments', { headers }, env)
  const { assignments = [] } = (await response.json()) as { assignments?: { user_id: string }[] }
  expect(assignments.map(({ user_id }) => user_id)).toEqual(people)
})
