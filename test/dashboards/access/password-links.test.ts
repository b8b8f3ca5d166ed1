/** Links with which people set a password: who asks for them, the one account that they open, and that no one else opens anything. */
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sayUnassigned } from '../../../services/access/access.ts'
import { createAccessChanges } from '../../../services/access/changes.ts'
import { openMailServer } from '../../support/network/mail-server.ts'
import { follow } from '../../support/network/follow.ts'
import { until } from '../../support/wait.ts'
import { openCompany, password as old, type Asked } from './company.ts'

const hour = 3_600_000
const fresh = 'staple paper clip 9'
const site = 'https://rollcall.example.com'

/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()
const mail = await openMailServer()
const env = { SMTP_URL: mail.url, MAIL_FROM: 'rollcall@example.com', DASHBOARD_URL: site }
const company = await openCompany({ clock: () => ++nowMs, env })
await company.addPassword('olga@example.com', old, 'owner')
afterAll(async () => {
  await company.close()
  await mail.close()
})
/** Each test asks from an address of its own, so that limits of one do not reach another. */
let address = 0
beforeEach(() => void address++)

type Fields = Record<string, string>

const ask = (path: string, asked: Asked = {}) => company.ask(path, { from: `10.8.0.${address}`, ...asked })

async function signIn(login: string, password: string): Promise<string | undefined> {
  const answer = await ask('/sign-in', { fields: { login, password, back: '/' } })
  return answer.status === 303 ? answer.headers.get('set-cookie')?.split(';')[0] : undefined
}
const enters = async (login: string, password: string) => (await signIn(login, password)) !== undefined

/** The owner sends a form of the page of access. */
async function asOlga(fields: Fields, app = company.app) {
  const cookie = `${await signIn('olga@example.com', old)}`
  const answer = await ask('/access/people', { cookie, fields, app })
  if (answer.status !== 303) return { status: answer.status, page: await answer.text() }
  const page = await follow(answer, (path, own) => ask(path, { cookie: own, app }), cookie)
  return { status: 303, page: await page.text() }
}

/** Those of others may still come: no one waits for a mail about a forgotten password. */
const mailsTo = (login: string) => mail.mails.filter(({ envelopeTo }) => envelopeTo[0] === login)

/** The link of the newest mail, as a path, when so many have come. */
async function linkTo(login: string, count = 1): Promise<string> {
  await until(() => mailsTo(login).length >= count)
  const text = mailsTo(login).at(-1)?.text ?? ''
  const link = new RegExp(`${site}(/sign-in/password/\\S+)`).exec(text)?.[1]
  if (link === undefined) throw new Error(`No link in: ${text}`)
  return link
}

let people = 0
/** A new person, with the link that they were sent. */
async function invite(role = 'analyst'): Promise<{ login: string; link: string }> {
  const login = `new-${++people}@example.com`
  expect((await asOlga({ do: 'set', login, role })).status).toBe(303)
  return { login, link: await linkTo(login) }
}

const setBy = (link: string, password = fresh, again = password, app = company.app) =>
  ask(link, { fields: { password, again }, app })
const statusOf = async (link: string) => (await ask(link)).status
const forget = (login: string, headers = {}) => ask('/sign-in/forgot', { fields: { login }, headers })

const by = { by: 'test', address: '' }

describe('an invitation', () => {
  test('is a mail with a link that sets a password once, and is stored nowhere', async () => {
    const { login, link } = await invite()
    const [sent] = mailsTo(login)
    expect([sent?.subject, sent?.to.map((to) => to.address)]).toEqual(['Your access to Rollcall', [login]])
    expect(sent?.html).toContain(`href="${site}${link}"`)
    expect(sent?.text).toContain('olga@example.com has given you access to Rollcall')
    // Mail scanners open links: that uses nothing up.
    for (let times = 0; times < 3; times++) expect(await statusOf(link)).toBe(200)
    for (const [password, again, problem] of [
      ['short', 'short', 'A password has at least 12 characters.'],
      ['aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaa', 'A password has at least 5 different characters.'],
      [fresh, `${fresh}!`, 'The two passwords differ.'],
    ] as const) {
      const answer = await setBy(link, password, again)
      expect([answer.status, (await answer.text()).includes(problem)]).toEqual([400, true])
    }
    const answer = await setBy(link)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(await (await follow(answer, (path, cookie) => ask(path, { cookie }))).text()).toContain(
      'Your password is set.',
    )
    expect([await statusOf(link), (await setBy(link, 'another one 123')).status]).toEqual([404, 404])
    expect([await enters(login, fresh), await enters(login, 'another one 123')]).toEqual([true, false])
    for (const table of ['records', 'access_audit']) {
      const where = `position(toString(tuple(*)), '${link.split('/').at(-1)}') > 0`
      expect(await company.store.rows(`SELECT * FROM rollcall.${table} WHERE ${where}`)).toEqual([])
    }
    expect((await ask(link)).headers.get('cache-control')).toBe('no-store')
    // A person with a password gets other words.
    const { page } = await asOlga({ do: 'invite', login })
    expect(page).toContain(`A link to set a password was sent to ${login}.`)
    await linkTo(login, 2)
    const [, second] = mailsTo(login)
    expect(second?.subject).toBe('A new password for Rollcall')
    expect(second?.text).toContain('olga@example.com has sent you a link to set a new password')
    // No mail for a change of a person with a password.
    await asOlga({ do: 'set', login, role: 'manager' })
    expect(mailsTo(login)).toHaveLength(2)
  })

  test.each([
    ['whose mail fails', { SMTP_URL: 'smtp://127.0.0.1:1' }, 'fails@example.com'],
    ['without a mail server', { SMTP_URL: '', MAIL_FROM: '' }, 'bo'],
  ])('%s is a link that the owner sees once', async (_, more, login) => {
    const app = await company.openAnother(more)
    const { page } = await asOlga({ do: 'set', login, role: 'analyst' }, app)
    expect(page.includes(`The mail to ${login} was not sent.`)).toBe(!('MAIL_FROM' in more))
    const [link = ''] = /\/sign-in\/password\/[\w.-]+/.exec(page) ?? []
    const cookie = `${await signIn('olga@example.com', old)}`
    expect(await (await ask('/access', { cookie, app })).text()).not.toContain('/sign-in/password/')
    expect((await setBy(link)).status).toBe(303)
    expect(await enters(login, fresh)).toBe(true)
    if ('MAIL_FROM' in more)
      expect(await (await ask('/sign-in/forgot', { app })).text()).toContain('Ask an owner')
  })

  test('is offered in no other way to sign in', async () => {
    const headers = await company.as('owner')
    const networks = { DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/24' }
    const app = await company.openAnother({ DASHBOARD_AUTH: 'proxy', ...networks })
    const page = await (await ask('/access', { headers, app })).text()
    expect([page.includes('olga@example.com'), page.includes('password link')]).toEqual([true, false])
    for (const path of ['/sign-in/forgot', '/sign-in/password/x', '/password'])
      expect([path, (await ask(path, { headers, app })).status]).toEqual([path, 404])
  })
})

describe('a forgotten password', () => {
  test('is answered the same, by the same work, for an unknown login; one login gets three mails', async () => {
    const { login } = await invite()
    const { store } = company.access
    const read = async (asked: string) => {
      const calls: string[] = []
      const kept = { ...store }
      for (const name of Object.keys(store) as (keyof typeof store)[])
        store[name] = ((...args: never[]) => {
          calls.push(name)
          return (kept[name] as (...given: never[]) => unknown)(...args)
        }) as never
      const answer = await forget(asked).finally(() => Object.assign(store, kept))
      const page = await (await follow(answer, (path, cookie) => ask(path, { cookie }))).text()
      return { calls, status: answer.status, page: page.replaceAll(asked, 'LOGIN') }
    }
    const known = await read(login)
    expect(await read('nobody@example.com')).toEqual(known)
    expect([known.calls.length > 2, known.page]).toEqual([
      true,
      expect.stringContaining('If LOGIN can sign in here'),
    ])
    await linkTo(login, 2)
    // The mail after the one that must not come.
    await invite()
    expect([mailsTo(login).length, mailsTo('nobody@example.com')]).toEqual([2, []])
    for (const asked of [login, 'nobody@example.com'])
      expect([
        (await forget(asked)).status,
        (await forget(asked)).status,
        (await forget(asked)).status,
      ]).toEqual([303, 303, 429])
  })

  test('ends every session and every other link; the link has the configured address', async () => {
    const { login, link } = await invite()
    await setBy(link, old)
    const cookie = `${await signIn(login, old)}`
    await forget(login, { host: 'localhost', 'x-forwarded-host': 'evil.example' })
    const first = await linkTo(login, 2)
    expect(mailsTo(login).at(-1)?.raw).not.toContain('evil.example')
    await forget(login)
    const second = await linkTo(login, 3)
    expect([await statusOf(first), await statusOf(second), first === second]).toEqual([200, 200, false])
    expect((await ask('/api/metrics', { cookie })).status).toBe(200)
    await setBy(second)
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 404])
    expect((await ask('/api/metrics', { cookie })).status).toBe(401)
    expect([await enters(login, old), await enters(login, fresh)]).toEqual([false, true])
  })
})

describe('a link', () => {
  test('of several forms at once, in two processes, is good for exactly one', async () => {
    const { login, link } = await invite()
    const another = await company.openAnother()
    const tries = Array.from({ length: 4 }, (_, n) => `password number ${n}`)
    const answers = await Promise.all(
      tries.map((password, n) => setBy(link, password, password, n % 2 === 0 ? company.app : another)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404, 404, 404])
    const winner = answers.findIndex(({ status }) => status === 303)
    for (const [n, password] of tries.entries())
      expect([n, await enters(login, password)]).toEqual([n, n === winner])
  })

  test('opens nothing if guessed, changed or made for something else, and too many wait; a right one opens', async () => {
    const { link } = await invite()
    const [name, sealed] = `${await signIn('olga@example.com', old)}`.split('=')
    // Not the last letter: it has bits that mean nothing.
    const changed = `${link.slice(0, -2)}${link.at(-2) === 'x' ? 'y' : 'x'}${link.at(-1)}`
    const path = '/sign-in/password'
    for (const wrong of [changed, `${path}/x`, `${path}/${'a'.repeat(4_000)}`, `${path}/${sealed}`])
      expect([wrong, await statusOf(wrong)]).toEqual([wrong, 404])
    // Nor is it a session.
    const cookie = `${name}=${link.split('/').at(-1)}`
    expect((await ask('/api/metrics', { cookie })).status).toBe(401)
    for (let tries = 0; tries < 50; tries++) await ask(`${path}/x`)
    expect([await statusOf(`${path}/x`), await statusOf(link)]).toEqual([429, 200])
  })

  test('ends after a day', async () => {
    const { link } = await invite()
    nowMs += 23 * hour
    expect(await statusOf(link)).toBe(200)
    nowMs += 2 * hour
    expect(await statusOf(link)).toBe(404)
  })

  const person = { names: false, userId: '', ...by }
  test.each<[string, (login: string) => Promise<unknown>]>([
    ['removed', (login) => company.changes.removePerson({ login, ...by })],
    ['blocked', (login) => company.changes.setPerson({ login, role: 'nobody', ...person })],
    ['given a password', (login) => company.addPassword(login, old, 'analyst')],
  ])('of a person who was %s opens nothing, also when they are back', async (_, end) => {
    const { login, link } = await invite()
    await end(login)
    expect((await setBy(link)).status).toBe(404)
    await company.changes.setPerson({ login, role: 'analyst', ...person })
    expect((await setBy(link)).status).toBe(404)
  })

  test('and an old password set no new one if an owner sets one while they are checked', async () => {
    const { store } = company.access
    const { readPerson } = store
    onTestFinished(() => void (store.readPerson = readPerson))
    const { login, link } = await invite()
    const beOvertaken = (password: string) => {
      store.readPerson = async (each) => {
        store.readPerson = readPerson
        const person = await readPerson(each)
        await company.addPassword(login, password, 'analyst')
        return person
      }
    }
    beOvertaken(old)
    expect((await setBy(link, 'by the link 12345')).status).toBe(404)
    const cookie = `${await signIn(login, old)}`
    beOvertaken(fresh)
    const again = 'by the form 12345'
    const page = await ask('/password', { cookie, fields: { current: old, password: again, again } })
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringContaining('This is not your password.'),
    ])
    const passwords = ['by the link 12345', again, fresh]
    expect(await Promise.all(passwords.map((each) => enters(login, each)))).toEqual([false, false, true])
  })
})

test('a signed-in person changes the password with the present one, and waits after ten wrong tries', async () => {
  const { login, link } = await invite()
  await setBy(link, old)
  const cookie = `${await signIn(login, old)}`
  expect(await (await ask('/password', { cookie })).text()).toContain(`value="${login}"`)
  const change = async (current: string, password: string) =>
    (await ask('/password', { cookie, fields: { current, password, again: password } })).status
  const found = []
  for (let tries = 0; tries < 11; tries++)
    found.push(await change(old, 'short'), await change('not the password', fresh))
  expect(found).toEqual([...Array.from({ length: 21 }, () => 400), 429])
  nowMs += 16 * 60_000
  expect(await change(old, fresh)).toBe(303)
  expect((await ask('/api/metrics', { cookie })).status).toBe(401)
  expect([await enters(login, old), await enters(login, fresh)]).toEqual([false, true])
})

// A rule for groups may match no one, and with passwords it never does.
test('the last owner is removed by no one while no owner is in the settings', async () => {
  for (const what of ['remove', 'set']) {
    const { status, page } = await asOlga({ do: what, login: 'olga@example.com', role: 'analyst' })
    expect([status, page.includes('This is the last owner.')]).toEqual([400, true])
  }
  const { settings } = company.access
  const rules = [{ role: 'owner' as const, group: 'it-admins' }]
  const changes = createAccessChanges({ ...company.access, settings: { ...settings, rules } })
  const login = 'olga@example.com'
  expect(await changes.removePerson({ login, ...by })).toEqual({ ok: false, problem: { code: 'last_owner' } })
  const owners = ['ina@example.com']
  const withOwner = createAccessChanges({ ...company.access, settings: { ...settings, owners } })
  for (const role of ['analyst', 'owner'])
    expect((await withOwner.setPerson({ login, role, names: false, userId: '', ...by })).ok).toBe(true)
  const two = await invite('owner')
  expect((await asOlga({ do: 'remove', login: two.login })).status).toBe(303)
})

test('a person without a role of their own is an owner by the settings, or has no role', async () => {
  const env = { DASHBOARD_OWNERS: 'Ina@example.com', DASHBOARD_ROLES: 'analyst=*' }
  const app = await company.openAnother(env)
  for (const login of ['ina@example.com', 'nora@example.com'])
    await company.changes.setPerson({ login, role: '', names: false, userId: '', by: login, address: '' })
  const cookie = `${await signIn('olga@example.com', old)}`
  const page = await (await ask('/access', { cookie, app })).text()
  expect(page).toMatch(/<th[^>]*>ina@example.com<small> owner by DASHBOARD_OWNERS/)
  expect(page).toMatch(/<th[^>]*>nora@example.com<small> no role/)
  const rules = [{ role: 'analyst', group: '*' }] as const
  expect(sayUnassigned('nora@example.com', { owners: [], rules })).toBe('from sign-in groups')
})

test('the audit names who was invited, who asked, and which account was tried', async () => {
  const { login, link } = await invite()
  await setBy(link, old)
  // A text that is not an email may be a password in the wrong field.
  for (const each of [login, 'my secret password']) {
    await signIn(each, 'a wrong password')
    await forget(each)
  }
  const entries = await company.access.store.readAudit({ beforeMs: nowMs + 1_000, limit: 20 })
  const found = entries.map((entry) => [entry.action, entry.login, entry.detail])
  for (const entry of [
    ['invitation', 'olga@example.com', login],
    ['password_set', login, login],
    ['sign_in_refused', '', `password ${login}`],
    ['sign_in_refused', '', 'password'],
    ['password_asked', '', login],
    ['password_asked', '', ''],
  ])
    expect(found).toContainEqual(entry)
  expect(JSON.stringify(entries)).not.toContain('my secret password')
})
