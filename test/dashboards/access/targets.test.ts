/** Targets of the company: who sets them, and where they are shown. Their limits are in forms.test.ts. */
import { afterAll, expect, test } from 'vitest'
import { signInAs, manager, openCompany } from './company.ts'

let nowMs = Date.now()
const company = await openCompany({ clock: () => ++nowMs })
const mona = await signInAs(company, manager.email, 'manager')
const olga = await signInAs(company, 'olga@example.com', 'owner')
afterAll(() => company.close())

test('are set by an owner on Setup, and read by everyone in every process; the second of two changes gets 409', async () => {
  for (const path of ['/', '/grading', '/teams/team-own', '/challenges/c1'])
    expect(await olga.read(path), path).not.toMatch(/\btarget\b/i)
  const targets = { completion_rate: ' 95 ', on_time_rate: '90', grading_turnaround: '5' }
  const saved = await olga.post('/setup/targets', targets)
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/setup'])
  for (const visit of [olga, mona])
    expect(await visit.read('/')).toMatch(/Target 95%.*Target 90%.*Target 5 days/s)
  const app = await company.openAnother()
  expect(await (await company.ask('/', { cookie: olga.cookie, app })).text()).toContain('Target 90%')
  const version = /name="version" value="(\d+)"/.exec(await olga.read('/setup'))?.[1] ?? ''
  const change = (completion_rate: string, of = company.app) =>
    company.ask('/setup/targets', {
      cookie: olga.cookie,
      fields: { ...targets, completion_rate, on_time_rate: '', version },
      app: of,
    })
  expect((await change('80')).status).toBe(303)
  const second = await change('70', app)
  expect([second.status, await second.text()]).toEqual([
    409,
    expect.stringContaining('Now: 80 / – / 5. Yours: 70 / – / 5.'),
  ])
  const entries = await company.access.store.readAudit({ beforeMs: nowMs + 60_000, limit: 50 })
  const audit = entries.filter(({ action }) => action === 'target_change')
  expect(audit.map(({ login, detail }) => `${login} ${detail}`)).toContain(
    'olga@example.com on_time_rate: none',
  )
  expect(audit).toHaveLength(5)
})
