/** Links with which people set a password: who asks for them, the one account that they open, and that nobody else opens anything. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sayUnassigned } from '../../../services/access/access.ts'
import { createAccessChanges } from '../../../services/access/changes.ts'
import { forgetAccess } from '../../../services/erasure/forget-access.ts'
import { openMailServer } from '../../support/network/mail-server.ts'
import { follow } from '../../support/network/follow.ts'
import { until } from '../../support/wait.ts'
import { openCompany, password as old } from './company.ts'
import { isLong } from '../../support/tiers.ts'

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

const ask = async (
  path: string,
  cookie = '',
  init: { method?: string; body?: URLSearchParams; headers?: Fields } = {},
  of = company.app,
) => {
  const from = { incoming: { socket: { remoteAddress: `10.8.0.${address}` } } }
  return of.request(path, { ...init, headers: { cookie, ...init.headers } }, from)
}
const post = (path: string, fields: Fields, cookie = '', headers: Fields = {}, of = company.app) =>
  ask(path, cookie, { method: 'POST', body: new URLSearchParams(fields), headers }, of)

async function signIn(login: string, password: string, of = company.app): Promise<string | null> {
  const answer = await post('/sign-in', { login, password, back: '/' }, '', {}, of)
  return answer.status === 303 ? (answer.headers.get('set-cookie')?.split(';')[0] ?? null) : null
}

let olga = { cookie: '', at: 0 }
/** The owner, signed in again when the clock has gone on. */
async function asOwner(): Promise<string> {
  if (Math.abs(nowMs - olga.at) > hour)
    olga = { cookie: (await signIn('olga@example.com', old)) ?? '', at: nowMs }
  return olga.cookie
}

const asOlga = async (fields: Fields) => {
  const cookie = await asOwner()
  const answer = await post('/access/people', fields, cookie)
  return { answer, page: await (await follow(answer, (path, own) => ask(path, own), cookie)).text() }
}

/** The link of the newest mail, as a path, when so many have come. */
async function linkTo(login: string, count = 1): Promise<string> {
  const mails = () => mail.mails.filter(({ envelopeTo }) => envelopeTo[0] === login)
  await until(() => Promise.resolve(mails().length >= count))
  const text = mails().at(-1)?.text ?? ''
  const link = new RegExp(`${site}(/sign-in/password/\\S+)`).exec(text)?.[1]
  if (link === undefined) throw new Error(`No link in: ${text}`)
  return link
}

let people = 0
/** Somebody new, with the link that they were sent. */
async function invite(role = 'analyst'): Promise<{ login: string; link: string }> {
  const login = `new-${++people}@example.com`
  const { answer } = await asOlga({ do: 'set', login, role })
  expect(answer.status).toBe(303)
  return { login, link: await linkTo(login) }
}

const setBy = (link: string, password = fresh, again = password) => post(link, { password, again })

async function isOpen(link: string): Promise<boolean> {
  const answer = await ask(link)
  expect([200, 404]).toContain(answer.status)
  return answer.status === 200
}

describe('an invitation', () => {
  test('mails a link that sets a password once', async () => {
    const { login, link } = await invite()
    const sent = mail.mails.at(-1)
    expect([sent?.subject, sent?.to.map((to) => to.address)]).toEqual(['Your access to Rollcall', [login]])
    expect(sent?.html).toContain(`href="${site}${link}"`)
    expect(sent?.text).toContain('olga@example.com has given you access to Rollcall')
    // Mail scanners open links: that uses nothing up.
    for (let times = 0; times < 3; times++) expect(await isOpen(link)).toBe(true)
    expect(await signIn(login, fresh)).toBeNull()
    const answer = await setBy(link)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(await (await follow(answer, ask)).text()).toContain('Your password is set.')
    expect(await signIn(login, fresh)).not.toBeNull()
    expect([await isOpen(link), (await setBy(link, 'another one 123')).status]).toEqual([false, 404])
    expect(await signIn(login, 'another one 123')).toBeNull()
    // With a password the person was not invited today.
    await asOlga({ do: 'invite', login })
    await linkTo(login, 2)
    expect(mail.mails.at(-1)?.subject).toBe('A new password for Rollcall')
    expect(mail.mails.at(-1)?.text).toContain('olga@example.com has sent you a link to set a new password')
  })

  test('is told to the owner, whose form offers the role manager first', async () => {
    const { page } = await asOlga({ do: 'set', login: 'told@example.com', role: 'analyst' })
    expect(page).toContain('A link to set a password was sent to told@example.com.')
    expect(page).toContain('<option value="manager" selected="">')
    expect(page).not.toMatch(/sign-in\/password/)
    // Without a new mail for who has a password.
    const before = mail.mails.length
    await asOlga({ do: 'set', login: 'olga@example.com', role: 'owner' })
    expect(mail.mails.length).toBe(before)
  })

  test.runIf(isLong)('is in the language of the page, and the form says what a password lacks', async () => {
    const cookie = `${await asOwner()}; rollcall_language=de`
    await post('/access/people', { do: 'set', login: 'deutsch@example.com', role: 'analyst' }, cookie)
    const link = await linkTo('deutsch@example.com')
    expect(mail.mails.at(-1)?.subject).toBe('Ihr Zugang zu Rollcall')
    for (const [password, again, problem] of [
      ['short', 'short', 'A password has at least 12 characters.'],
      ['aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaa', 'A password has at least 5 different characters.'],
      [fresh, `${fresh}!`, 'The two passwords differ.'],
    ] as const) {
      const answer = await setBy(link, password, again)
      expect([answer.status, (await answer.text()).includes(problem)]).toEqual([400, true])
    }
    expect(await isOpen(link)).toBe(true)
  })

  test.runIf(isLong)('that cannot be mailed is shown to the owner, once, and can be sent again', async () => {
    const cookie = await asOwner()
    const down = await company.openAnother({ SMTP_URL: 'smtp://127.0.0.1:1' })
    for (const fields of [
      { do: 'set', login: 'late@example.com', role: 'analyst' },
      { do: 'invite', login: 'late@example.com' },
    ]) {
      const answer = await post('/access/people', fields, cookie, {}, down)
      const page = await (await follow(answer, (path, own) => ask(path, own, {}, down), cookie)).text()
      expect(page).toContain('The mail to late@example.com was not sent.')
      expect(await isOpen(new RegExp(`${site}(/sign-in/password/[\\w.-]+)`).exec(page)?.[1] ?? '')).toBe(true)
      expect(await (await ask('/access', cookie, {}, down)).text()).not.toContain('/sign-in/password/')
    }
  })

  test.runIf(isLong)(
    'without a mail server is a link for the owner, and nobody can ask for one by themselves',
    async () => {
      const cookie = await asOwner()
      const silent = await company.openAnother({ SMTP_URL: '', MAIL_FROM: '' })
      const answer = await post(
        '/access/people',
        { do: 'set', login: 'bo', role: 'analyst' },
        cookie,
        {},
        silent,
      )
      const page = await (await follow(answer, (path, own) => ask(path, own, {}, silent), cookie)).text()
      expect((await setBy(/(\/sign-in\/password\/[\w.-]+)/.exec(page)?.[1] ?? '')).status).toBe(303)
      expect(await signIn('bo', fresh)).not.toBeNull()
      expect(await (await ask('/sign-in/forgot', '', {}, silent)).text()).toContain('Ask an owner')
    },
  )

  test.runIf(isLong)('is offered in no other way to sign in', async () => {
    const owner = await company.as('owner')
    const proxied = await company.openAnother({
      DASHBOARD_AUTH: 'proxy',
      DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/24',
    })
    const page = await (await proxied.request('/access', { headers: owner })).text()
    expect(page).not.toContain('password link')
    for (const path of ['/sign-in/forgot', '/sign-in/password/x', '/password']) {
      expect([path, (await proxied.request(path, { headers: owner })).status]).toEqual([path, 404])
    }
  })
})

describe('a forgotten password', () => {
  const forget = (login: string) => post('/sign-in/forgot', { login })

  test.runIf(isLong)('is answered the same, by the same work, for a login that nobody has', async () => {
    const { login } = await invite()
    const { store } = company.access
    const read = async (asked: string) => {
      const calls: string[] = []
      const kept = { ...store }
      for (const name of Object.keys(store) as (keyof typeof store)[]) {
        store[name] = ((...args: never[]) => {
          calls.push(name)
          return (kept[name] as (...given: never[]) => unknown)(...args)
        }) as never
      }
      try {
        const answer = await forget(asked)
        const shown = await (await follow(answer, ask)).text()
        return { calls, status: answer.status, page: shown.replaceAll(asked, 'LOGIN') }
      } finally {
        Object.assign(store, kept)
      }
    }
    const before = mail.mails.length
    const known = await read(login)
    const unknown = await read('nobody@example.com')
    expect(known.calls.length).toBeGreaterThan(3)
    expect(unknown).toEqual(known)
    expect(known.page).toContain('If LOGIN can sign in here')
    await until(() => Promise.resolve(mail.mails.length > before))
    // The mail after the one that must not come.
    const marker = await invite()
    expect(mail.mails.slice(before).map(({ envelopeTo }) => envelopeTo[0])).toEqual([login, marker.login])
  })

  test('ends every session and every other link', async () => {
    const { login, link } = await invite()
    await setBy(link, old)
    const session = (await signIn(login, old)) ?? ''
    expect((await ask('/api/metrics', session)).status).toBe(200)
    const links = []
    for (let times = 1; times <= 2; times++) {
      await forget(login)
      links.push(await linkTo(login, 1 + times))
    }
    const [first = '', second = ''] = links
    expect([await isOpen(first), await isOpen(second), first === second]).toEqual([true, true, false])
    await setBy(second)
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, false])
    expect((await ask('/api/metrics', session)).status).toBe(401)
    expect([await signIn(login, old), (await signIn(login, fresh)) === null]).toEqual([null, false])
  })

  test.runIf(isLong)('leads to the configured address, whatever host the request names', async () => {
    const { login } = await invite()
    const before = mail.mails.length
    const headers = { host: 'localhost', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    expect((await post('/sign-in/forgot', { login }, '', headers)).status).toBe(303)
    await until(() => Promise.resolve(mail.mails.length > before))
    expect(mail.mails.at(-1)?.raw).not.toContain('evil.example')
    expect(await isOpen(await linkTo(login, 2))).toBe(true)
    // A host that is not ours is asked nothing.
    expect(
      (await post('http://evil.example/sign-in/forgot', { login }, '', { host: 'evil.example' })).status,
    ).not.toBe(303)
  })

  test.runIf(isLong)(
    'is asked for three times in a quarter of an hour, whether or not the login exists',
    async () => {
      const { login } = await invite()
      for (const asked of [login, 'nobody-else@example.com']) {
        const found = []
        for (let times = 0; times < 4; times++) found.push((await forget(asked)).status)
        expect([asked, found]).toEqual([asked, [303, 303, 303, 429]])
      }
      nowMs += 16 * 60_000
      expect((await forget(login)).status).toBe(303)
    },
  )
})

describe('a link', () => {
  test('of two forms at once is good for exactly one', async () => {
    const { login, link } = await invite()
    const tries = Array.from({ length: 3 }, (_, n) => `password number ${n}`)
    const answers = await Promise.all(tries.map((password) => setBy(link, password)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404, 404])
    const winner = answers.findIndex(({ status }) => status === 303)
    for (const [n, password] of tries.entries())
      expect([n, (await signIn(login, password)) !== null]).toEqual([n, n === winner])
  })

  test.runIf(isLong)(
    'of before a new password opens nothing, by whatever clock the password was set',
    async () => {
      const { login, link } = await invite()
      nowMs -= 2 * 60_000
      await company.addPassword(login, old, 'analyst')
      expect(await isOpen(link)).toBe(false)
      nowMs += 2 * 60_000
      expect(await isOpen(link)).toBe(false)
    },
  )

  test.runIf(isLong)('of two processes at once is good for one at most', async () => {
    const { login, link } = await invite()
    const other = await company.openAnother()
    const body = new URLSearchParams({ password: fresh, again: fresh })
    const there = Promise.resolve(other.request(link, { method: 'POST', body }))
    const statuses = (await Promise.all([setBy(link, old), there])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 303).length).toBeLessThanOrEqual(1)
    // A password that another process has set is known here when the held values are old.
    nowMs += 60_000
    const works = [await signIn(login, old), await signIn(login, fresh)].map((cookie) => cookie !== null)
    expect(works).toEqual(statuses.map((status) => status === 303))
    expect(await isOpen(link)).toBe(false)
  })

  test('opens nothing where it was guessed, changed, or made for something else; too many of these have to wait', async () => {
    const { link } = await invite()
    const session = await asOwner()
    const sealed = session.slice(session.indexOf('=') + 1)
    // Not the last letter: it has bits that mean nothing.
    const changed = `${link.slice(0, -2)}${link.at(-2) === 'x' ? 'y' : 'x'}${link.at(-1)}`
    for (const wrong of [changed, '/sign-in/password/x', `/sign-in/password/${'a'.repeat(4_000)}`]) {
      expect([wrong, await isOpen(wrong)]).toEqual([wrong, false])
    }
    expect(await isOpen(`/sign-in/password/${sealed}`)).toBe(false)
    // Nor is it a session.
    const cookie = `${session.slice(0, session.indexOf('='))}=${link.split('/').at(-1)}`
    expect((await ask('/api/metrics', cookie)).status).toBe(401)
    for (let tries = 0; tries < 50; tries++) await ask('/sign-in/password/x')
    expect((await ask('/sign-in/password/x')).status).toBe(429)
    // A right one opens all the same.
    expect(await isOpen(link)).toBe(true)
  })

  test.runIf(isLong)('ends after a day', async () => {
    const { link } = await invite()
    nowMs += 23 * hour
    expect(await isOpen(link)).toBe(true)
    nowMs += 2 * hour
    expect(await isOpen(link)).toBe(false)
  })

  test.runIf(isLong)(
    'of who was removed, barred, erased or signed out opens nothing, also when they are back',
    async () => {
      const by = { by: 'test', address: '' }
      const person = { names: false, userId: '', ...by }
      const ways: ((login: string) => Promise<unknown>)[] = [
        (login) => company.changes.removePerson({ login, ...by }),
        (login) => company.changes.setPerson({ login, role: 'nobody', ...person }),
        (login) => company.changes.signOutEverywhere({ login, ...by }),
        (login) => forgetAccess(company.store.writer, 'x', [login]),
      ]
      for (const end of ways) {
        const { login, link } = await invite()
        await end(login)
        expect([login, (await setBy(link)).status]).toEqual([login, 404])
        await company.changes.setPerson({ login, role: 'analyst', ...person })
        expect([login, (await setBy(link)).status]).toEqual([login, 404])
      }
    },
  )

  test('that is used while its person is removed or barred brings nobody back', async () => {
    const { store } = company.access
    const { writePerson } = store
    // A new password is stored later than it was decided.
    store.writePerson = async (row, readAt) => {
      if (row.role !== 'nobody') await pause(50)
      return writePerson(row, readAt)
    }
    onTestFinished(() => void (store.writePerson = writePerson))
    const by = { by: 'test', address: '' }
    const removed = (await invite()).login
    const barred = (await invite()).login
    const set = (login: string) =>
      company.changes.setPassword({ login, password: 'hash', lastEnd: Infinity, ...by })
    const person = { login: barred, role: 'nobody', names: false, userId: '', ...by }
    const [, late] = await Promise.all([
      company.changes.removePerson({ login: removed, ...by }),
      set(removed),
    ])
    expect(late.ok).toBe(false)
    await Promise.all([set(barred), company.changes.setPerson(person)])
    const people = await store.readPeople()
    expect(people.filter(({ login }) => login === removed || login === barred)).toMatchObject([
      { role: 'nobody' },
    ])
  })

  test('and an old password set no new one once an owner has set one while they were looked at', async () => {
    const { store } = company.access
    const { useLink, readPerson } = store
    onTestFinished(() => void Object.assign(store, { useLink, readPerson }))
    const { login, link } = await invite()
    store.useLink = async (hash) => {
      store.useLink = useLink
      await company.addPassword(login, old, 'analyst')
      return useLink(hash)
    }
    expect((await setBy(link, 'by the link 12345')).status).toBe(404)
    const cookie = (await signIn(login, old)) ?? ''
    expect((await ask('/api/metrics', cookie)).status).toBe(200)
    store.readPerson = async (each) => {
      const person = await readPerson(each)
      store.readPerson = readPerson
      await company.addPassword(login, fresh, 'analyst')
      return person
    }
    const again = 'by the form 12345'
    const page = await post('/password', { current: old, password: again, again }, cookie)
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringContaining('This is not your password.'),
    ])
    const works = []
    for (const password of ['by the link 12345', again, fresh])
      works.push((await signIn(login, password)) !== null)
    expect(works).toEqual([false, false, true])
  })

  test('is kept nowhere, but for the hash of one that was used', async () => {
    const { link } = await invite()
    await setBy(link)
    const token = link.split('/').at(-1)
    for (const table of ['records', 'access_audit']) {
      const found = await company.store.rows(
        `SELECT * FROM rollcall.${table} WHERE position(toString(tuple(*)), '${token}') > 0`,
      )
      expect([table, found]).toEqual([table, []])
    }
    const answer = await ask(link)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('a person who is signed in', () => {
  test('changes the password with the one that they have', async () => {
    const { login, link } = await invite()
    await setBy(link, old)
    const cookie = (await signIn(login, old)) ?? ''
    expect(await (await ask('/password', cookie)).text()).toContain(`value="${login}"`)
    const change = (current: string) => post('/password', { current, password: fresh, again: fresh }, cookie)
    const refused = await change('not the password')
    expect([refused.status, (await refused.text()).includes('This is not your password.')]).toEqual([
      400,
      true,
    ])
    const done = await change(old)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/sign-in'])
    expect((await ask('/api/metrics', cookie)).status).toBe(401)
    expect([await signIn(login, old), (await signIn(login, fresh)) === null]).toEqual([null, false])
  })

  test.runIf(isLong)(
    'waits after ten tries at the one that they have; a new one that is refused is none',
    async () => {
      const { login, link } = await invite()
      await setBy(link, old)
      const cookie = (await signIn(login, old)) ?? ''
      const tryTimes = async (times: number, current: string, password: string) => {
        const found = []
        for (let tries = 0; tries < times; tries++)
          found.push((await post('/password', { current, password, again: password }, cookie)).status)
        return found
      }
      const refused = Array.from({ length: 10 }, () => 400)
      expect(await tryTimes(11, old, 'short')).toEqual([...refused, 400])
      expect(await tryTimes(11, 'wrong', fresh)).toEqual([...refused, 429])
    },
  )

  test('as the last owner is not removed, nor made less', async () => {
    const fields = { login: 'olga@example.com', role: 'analyst' }
    const cookie = await asOwner()
    for (const what of ['remove', 'set']) {
      const refused = await post('/access/people', { do: what, ...fields }, cookie)
      expect([refused.status, (await refused.text()).includes('This is the last owner.')]).toEqual([
        400,
        true,
      ])
    }
    const { login } = await invite('owner')
    expect((await post('/access/people', { do: 'remove', login }, cookie)).status).toBe(303)
  })
})

const first = 'olga@example.com'
/** A lost role ends every session. */
const forgetSession = () => void (olga = { cookie: '', at: 0 })
const analyst = { role: 'analyst', names: false, address: '' }

async function readOwners(): Promise<string[]> {
  return (await company.access.store.readPeople())
    .filter(({ role }) => role === 'owner')
    .map(({ login }) => login)
}

/** Until the test ends. */
async function enterOwner(login: string): Promise<string> {
  onTestFinished(async () => {
    await company.changes.removePerson({ login, by: first, address: '' })
    forgetSession()
  })
  await company.changes.setPerson({ login, role: 'owner', names: true, by: 'test', address: '' })
  return login
}

test.each([
  ['remove each other', 'removePerson'],
  ['take the role from each other', 'setPerson'],
] as const)('leaves an owner if two of them %s in two processes (%s)', async (_, how) => {
  const { store } = company.access
  const before = await store.readPerson(first)
  const two = await enterOwner('two@example.com')
  const other = createAccessChanges(company.access)
  let isOvertaken = false
  /** The other process removes Olga after this one has checked, and before it writes. */
  const beOvertaken = async () => {
    if (isOvertaken) return
    isOvertaken = true
    expect((await other[how]({ ...analyst, login: first, by: two })).ok).toBe(true)
  }
  const changes = createAccessChanges({
    ...company.access,
    store: {
      ...store,
      writePerson: async (...row) => (await beOvertaken(), store.writePerson(...row)),
      removePerson: async (...row) => (await beOvertaken(), store.removePerson(...row)),
    },
  })
  const answer = await changes[how]({ ...analyst, login: two, by: first })
  const left = await readOwners()
  if (before !== undefined) await store.writePerson(before)
  expect([answer.ok, left]).toEqual([false, [two]])
})

// A rule for groups may match no one, and with passwords it never does.
test('the last owner is removed by no one while no owner is in the settings', async () => {
  onTestFinished(forgetSession)
  const { settings } = company.access
  const rules = [{ role: 'owner' as const, group: 'it-admins' }]
  const changes = createAccessChanges({ ...company.access, settings: { ...settings, rules } })
  const login = first
  const made = { login, role: 'analyst', names: false, userId: '', address: '' }
  for (const by of [login, 'a-group-owner', 'token:abc', 'command line'])
    for (const change of [
      changes.removePerson({ login, by, address: '' }),
      changes.setPerson({ ...made, by }),
    ])
      expect(await change, by).toEqual({ ok: false, problem: { code: 'last_owner' } })
  const withOwner = createAccessChanges({
    ...company.access,
    settings: { ...settings, owners: ['ina@example.com'] },
  })
  for (const role of ['analyst', 'owner'])
    expect((await withOwner.setPerson({ ...made, role, by: 'ina@example.com' })).ok).toBe(true)
})

test('somebody without a role of their own is an owner by the settings or nobody, and groups are named only where there are any', async () => {
  const of = await company.openAnother({ DASHBOARD_OWNERS: 'Ina@example.com', DASHBOARD_ROLES: 'analyst=*' })
  for (const login of ['ina@example.com', 'nora@example.com'])
    await company.changes.setPerson({ login, role: '', names: false, userId: '', by: login, address: '' })
  const page = await (await ask('/access', await asOwner(), {}, of)).text()
  expect(page).toMatch(/<th[^>]*>ina@example.com<small> owner by DASHBOARD_OWNERS/)
  expect(page).toMatch(/<th[^>]*>nora@example.com<small> no role/)
  expect(page).not.toContain('from sign-in groups')
  const rules = [{ role: 'analyst', group: '*' }] as const
  expect(sayUnassigned('nora@example.com', { owners: [], rules })).toBe('from sign-in groups')
})

test.runIf(isLong)('the audit names who was invited, who asked, and which account was tried', async () => {
  const { login, link } = await invite()
  await setBy(link, old)
  await signIn(login, 'a wrong password')
  // A text that is not an e-mail may be a password in the wrong field.
  await signIn('my secret password', 'a wrong password')
  await post('/sign-in/forgot', { login })
  await post('/sign-in/forgot', { login: 'my secret password' })
  const entries = await company.access.store.readAudit({ beforeMs: nowMs + 1_000, limit: 20 })
  const found = entries.map((entry) => [entry.action, entry.login, entry.detail])
  for (const entry of [
    ['invitation', 'olga@example.com', login],
    ['password_set', login, login],
    ['sign_in_refused', '', `password ${login}`],
    ['sign_in_refused', '', 'password'],
    ['password_asked', '', login],
    ['password_asked', '', ''],
  ]) {
    expect(found).toContainEqual(entry)
  }
  expect(JSON.stringify(entries)).not.toContain('my secret password')
  await forgetAccess(company.store.writer, 'x', [login])
  const left = await company.store.rows(
    `SELECT * FROM rollcall.access_audit WHERE position(detail, '${login}') > 0`,
  )
  expect(left).toEqual([])
})
