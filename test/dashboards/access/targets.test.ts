/** Targets of the company: who sets them, their limits, and where they are shown. */
import { afterAll, expect, test } from 'vitest'
import { signInAs, manager, openCompany, type Visit } from './company.ts'

let nowMs = Date.now()
const company = await openCompany({ clock: () => ++nowMs })
const mona = await signInAs(company, manager.email, 'manager')
const olga = await signInAs(company, 'olga@example.com', 'owner')
afterAll(() => company.close())

const none = { completion_rate: '', on_time_rate: '', grading_turnaround: '' }
const set = (visit: Visit, given: Partial<typeof none> & { version?: string }) =>
  visit.post('/setup/targets', { ...none, ...given })

test('without a target nothing speaks of one', async () => {
  for (const path of ['/', '/grading', '/teams/team-own', '/challenges/c1'])
    expect(await olga.read(path), path).not.toMatch(/\btarget\b/i)
})

test('an owner sets them on Setup; everybody reads them, in every process, and the audit has each change', async () => {
  const saved = await set(olga, { completion_rate: ' 95 ', on_time_rate: '90', grading_turnaround: '5' })
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/setup'])
  expect(await olga.read('/setup')).toMatch(/name="on_time_rate"[^>]* value="90"/)
  for (const visit of [olga, mona])
    expect(await visit.read('/')).toMatch(/Target 95%.*Target 90%.*Target 5 days/s)
  const another = await company.openAnother()
  expect(await (await another.request('/', { headers: { cookie: olga.cookie } })).text()).toContain(
    'Target 90%',
  )
  // Saved again, nothing changes.
  await set(olga, { completion_rate: '95', on_time_rate: '', grading_turnaround: '5' })
  expect(await mona.read('/')).not.toContain('Target 90%')
  const audit = await company.access.store.readAudit({
    beforeMs: nowMs + 60_000,
    limit: 50,
    action: 'target_change',
  })
  expect(audit.map(({ login, detail }) => [login, detail])).toEqual([
    ['olga@example.com', 'on_time_rate: none'],
    ['olga@example.com', 'grading_turnaround: 5'],
    ['olga@example.com', 'on_time_rate: 90'],
    ['olga@example.com', 'completion_rate: 95'],
  ])
})

test.each(['101', '-1', '0', '1.5', 'NaN', '1e9', '9'.repeat(400), '<script>'])(
  '%s is no target',
  async (value) => {
    const before = await company.entrance.targets.readNow()
    const refused = await set(olga, { completion_rate: '50', on_time_rate: value })
    expect(refused.status).toBe(400)
    const text = await refused.text()
    expect(text).toContain('A target is a whole number')
    expect(await company.entrance.targets.readNow()).toEqual(before)
  },
)

test('no one else sets them', async () => {
  expect((await set(mona, { on_time_rate: '10' })).status).toBe(403)
})

test('of two owners who change them at the same time, in two processes, the second reads both values', async () => {
  const another = await company.openAnother()
  const version = /name="version" value="(\d+)"/.exec(await olga.read('/setup'))?.[1] ?? ''
  expect((await set(olga, { completion_rate: '80', version })).status).toBe(303)
  const body = new URLSearchParams({ ...none, completion_rate: '70', on_time_rate: '60', version })
  const answer = await another.request('/setup/targets', {
    method: 'POST',
    body,
    headers: { cookie: olga.cookie },
  })
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('Now: 80 / – / –. Yours: 70 / 60 / –.')
  expect((await company.entrance.targets.readNow()).targets).toEqual({ completion_rate: 80 })
})
