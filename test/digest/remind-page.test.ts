/** The page of reminders, signed in as each role, with a mail server: its content, and its refusals. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { until } from '../support/wait.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { manager, reports, strangers } from '../dashboards/access/company.ts'
import { openDigestCompany } from './digest-company.ts'

const [rae, ron] = reports as [(typeof reports)[0], (typeof reports)[0]]
const password = 'correct horse battery'
const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }

const logins = { owner: 'olga@example.com', manager: manager.email, analyst: 'anna@example.com' } as const
type Signed = keyof typeof logins
const own = await openDigestCompany({
  now: monday + 40 * day + day / 2,
  env: { REMIND: 'on', DIGEST_FREQUENCY: 'off', TIME_ZONE: 'UTC' },
})
await storeBodies(own.company.store.writer, [
  toBody(
    'Created',
    'unreachable',
    monday,
    {},
    { id: 104, name: 'Una', email: 'una', managers: [{ id: 101 }] },
  ),
])
for (const [role, login] of Object.entries(logins))
  await own.company.addPassword(login, password, role as Signed)
afterAll(() => own.close())
// Each on a day of its own, so that nobody has had a reminder.
beforeEach(() => {
  own.clock.now += 30 * day
})

const post = async (
  path: string,
  cookie: string,
  fields: Record<string, string | string[]>,
  headers = {},
) => {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  ).toString()
  return own.company.app.request(path, { method: 'POST', body, headers: { ...form, cookie, ...headers } })
}

const cookies = new Map<string, string>()
/** A session ends as the clock goes on. */
async function signIn(role: Signed): Promise<string> {
  const key = `${role} ${own.clock.now}`
  const known = cookies.get(key)
  if (known !== undefined) return known
  const response = await post('/sign-in', '', { login: logins[role], password, back: '/' })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  cookies.set(key, cookie)
  return cookie
}

const get = async (path: string, role: Signed) =>
  own.company.app.request(path, { headers: { cookie: await signIn(role) } })
const page = async (path: string, role: Signed) => {
  const response = await get(path, role)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}
const mainOf = (text: string) => /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
const usersOf = (text: string) =>
  [...text.matchAll(/type="hidden" name="user" value="([^"]*)"/g)].map(([, id = '']) => id)
const reminders = () => own.store.readReminders({ fromMs: own.clock.now - day })
const asked = async () => (await reminders()).map(({ user_id, asked_by }) => [user_id, asked_by])
/** So that no outcome is stored after the clock goes on. */
const untilSent = (count: number) =>
  until(reminders, (all) => all.filter(({ state }) => state === 'sent').length === count)
const addressees = () => own.mail.mails.flatMap(({ envelopeTo }) => envelopeTo)

test('lists of overdue people lead to their reminders: of all, and of selected ones', async () => {
  const remindLinks = (text: string) =>
    [...mainOf(text).matchAll(/href="(\/remind[^"]*)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
  const ticks = (text: string) =>
    [...text.matchAll(/type="checkbox" class="tick[^>]*value="([^"]*)"/g)].map(([, id]) => id)
  const late = usersOf(await page('/remind', 'manager')).toSorted()
  for (const path of [
    '/learners?with=overdue',
    '/assignments?fact=overdue',
    '/assignments?metric=overdue&part=value',
    '/assignments?status=overdue&user=102',
  ]) {
    const [link = '', ...others] = remindLinks(await page(path, 'manager'))
    expect([path, others]).toEqual([path, []])
    const asked = path.includes('user=') ? [rae.id] : late
    expect([path, usersOf(await page(link, 'manager')).toSorted()]).toEqual([path, asked])
  }
  expect(ticks(await page('/learners?with=overdue&q=rae', 'manager'))).toEqual([rae.id])
  // No one of this part is overdue.
  expect(usersOf(await page('/remind?metric=completion_rate&part=numerator', 'manager'))).toEqual([])
  // Some people of these lists are not overdue.
  for (const path of ['/learners', '/learners?with=unfinished', '/assignments', '/assignments?fact=open']) {
    const text = await page(path, 'manager')
    expect([path, remindLinks(text), ticks(text)]).toEqual([path, [], []])
  }
})

test('one form of a list acts on the selected people: reminders, and a file of their overdue work', async () => {
  for (const path of ['/overdue', '/assignments?fact=overdue', '/learners?with=overdue']) {
    const [form = ''] =
      /<form method="get" action="\/remind"[\s\S]*?<\/form>/.exec(await page(path, 'owner')) ?? []
    const fields = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    )
    const chosen = new URLSearchParams([...fields, ['user', rae.id]]).toString()
    expect(usersOf(await page(`/remind?${chosen}&ticked=true`, 'owner'))).toEqual([rae.id])
    expect(form).toContain('formaction="/api/assignments" name="format" value="csv"')
    const lines = (await page(`/api/assignments?${chosen}&format=csv`, 'owner')).trim().split('\r\n')
    expect([path, lines.length]).toEqual([path, 2])
    expect(lines[1]).toContain(rae.name)
  }
})

test('a list that a number opened offers reminders five minutes later, too', async () => {
  const asOf = new Date(own.clock.now).toISOString()
  own.clock.now += day / 288
  const list = mainOf(await page(`/assignments?fact=overdue&as_of=${asOf}`, 'owner'))
  expect(list).toMatch(/"\/remind[?"]/)
})

test('a manager sees who gets an email and who does not, sends it by one button, and then reads so in every list', async () => {
  const seen = await page('/remind', 'manager')
  expect(new Set(usersOf(seen))).toEqual(new Set([rae.id, ron.id]))
  expect(seen).toContain('2 people get an email, 1 of this list does not.')
  const ofRae = await page(`/remind?user=${rae.id}`, 'manager')
  expect(ofRae).toContain('1 person gets an email.')
  expect([seen, ofRae].map((text) => /Filters: [^<]*/.exec(text)?.[0])).toEqual([
    undefined,
    `Filters: Person ${rae.name}.`,
  ])
  expect(seen).toContain('no email address')
  // Looking changes nothing, however often.
  expect([await asked(), addressees()]).toEqual([[], []])

  const fields = { user: usersOf(seen) as string[], back: 'user=102&ticked=true' }
  const mona = await signIn('manager')
  const sent = await Promise.all([1, 2].map(() => post('/remind', mona, fields)))
  expect(sent.map(({ status }) => status)).toEqual([303, 303])
  expect(sent[0]?.headers.get('location')).toBe('/remind?user=102&ticked=true')
  const asking = await Promise.all(
    sent.map(async ({ headers }) => {
      const cookie = `${mona}; ${headers.get('set-cookie')?.split(';')[0]}`
      return (await own.company.app.request('/remind?user=102&ticked=true', { headers: { cookie } })).text()
    }),
  )
  // The second of the two may find nothing left to do.
  expect(asking.join()).toContain('2 reminders go out within a minute.')
  expect(asking.join()).not.toContain('No one on this list gets')
  await untilSent(2)
  await own.openProcess({ env: { REMIND: 'on', DIGEST_FREQUENCY: 'off' } }).digester.tick()
  expect(addressees().toSorted()).toEqual([rae.email, ron.email])

  own.clock.now += 3 * day
  for (const path of [
    '/overdue',
    '/learners?with=overdue',
    '/learners/102',
    '/managers/101?reports=all',
    '/teams/team-own',
  ])
    expect([path, await page(path, 'manager')]).toEqual([
      path,
      expect.stringMatching(/reminded 3 days ago by you/),
    ])
  expect(await page('/learners/102', 'owner')).toContain('reminded 3 days ago by mona@example.com')
  for (const days of [-1, 60])
    for (const path of [
      '/',
      '/overdue',
      '/learners?with=overdue',
      '/learners/102',
      '/assignments?fact=overdue',
      '/managers/101?reports=all',
      '/teams/team-own',
    ]) {
      const asOf = new Date(own.clock.now + days * day).toISOString()
      const main = mainOf(await page(`${path}${path.includes('?') ? '&' : '?'}as_of=${asOf}`, 'manager'))
      expect([path, days, main]).toEqual([
        path,
        days,
        expect.not.stringMatching(/reminded \d|\/remind|Remind/),
      ])
    }
  const had = await page('/remind?user=102', 'manager')
  expect(had).toContain('reminded recently')
  expect(had).toContain('No one on this list gets an email.')
  expect(had).not.toContain('Each email lists')
})

test('the list follows the due rules of the settings, as the mails do', async () => {
  const zed = { id: 'z1', name: 'Zed Today', email: 'zed@example.com' }
  const due = { dueDate: own.clock.now - day / 8 }
  await storeBodies(own.company.store.writer, [toBody('Created', 'today', own.clock.now - day, due, zed)])
  const late = await page('/overdue?due_end=instant&due_zone=Asia/Tokyo&user=z1', 'owner')
  const [, link = ''] = /href="(\/remind\?[^"]*user=z1[^"]*)"/.exec(late) ?? []
  const seen = await page(link.replaceAll('&amp;', '&'), 'owner')
  expect(seen).toContain('No one in this list is overdue.')
  own.clock.now += day
  const next = await page('/remind?user=z1&due_end=end_of_day', 'owner')
  expect(next).toContain('1 person gets an email.')
})

test('a manager reminds nobody else’s people, whatever is posted', async () => {
  const ids = strangers.map(({ id }) => id)
  const before = addressees().length
  const answer = await post('/remind', await signIn('manager'), {
    user: [...ids, 'nobody', '', rae.id],
    back: '',
  })
  expect(answer.status).toBe(303)
  expect(await asked()).toEqual([[rae.id, manager.email]])
  await untilSent(1)
  expect(addressees().slice(before)).toEqual([rae.email])
  for (const id of ids) {
    const [stranger, nobody] = [id, `y${id.slice(1)}`]
    const seen = async (as: string) =>
      mainOf(await page(`/remind?user=${as}&ticked=true`, 'manager')).replaceAll(as, 'ID')
    expect(await seen(stranger)).toBe(await seen(nobody))
  }
})

test('nobody reminds who has not signed in as an owner or a manager, and no form of another site does', async () => {
  const fields = { user: [rae.id], back: '' }
  expect((await get('/remind', 'analyst')).status).toBe(403)
  expect((await post('/remind', await signIn('analyst'), fields)).status).toBe(403)
  for (const role of ['owner', 'manager'] as const) {
    const token = await own.company.as(role)
    const body = new URLSearchParams({ user: rae.id }).toString()
    const { app } = own.company
    expect(
      (await app.request('/remind', { method: 'POST', body, headers: { ...form, ...token } })).status,
    ).toBe(403)
    const text = await (await app.request('/remind', { headers: token })).text()
    expect([
      usersOf(text),
      text.includes('Rollcall sends reminders only for people who have signed in'),
    ]).toEqual([[], true])
  }
  const other = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await post('/remind', await signIn('owner'), fields, other)).status).toBe(403)
  expect((await post('/remind', '', fields)).status).toBe(401)
  expect(await asked()).toEqual([])
})
