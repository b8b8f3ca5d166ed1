import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNotes } from '../../services/notes/notes.ts'
import type { DigestStore } from '../../digest/digest-store.ts'
import { foreignTeam, manager, ownTeam, reports, strangers } from '../dashboards/access/company.ts'
import { headerOf } from '../support/network/mail-server.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import {
  enter,
  visit,
  openDigestCompany,
  site,
  toHealth,
  type DigestCompany,
  type Process,
} from './digest-company.ts'
import { isLong } from '../support/tiers.ts'

const hour = 3_600_000
/** A Monday, five weeks after the assignments, in the hour of the digest. */
const due = monday + 35 * day + 7 * hour + 60_000

let own: DigestCompany
let process: Process
beforeEach(async () => {
  own = await openDigestCompany({ now: due })
  process = own.openProcess()
})
afterEach(async () => {
  await own.close()
  expect(own.errors).toEqual([])
})

const mails = () => own.mail.mails
const lastStates = async () => (await own.store.readSends(0)).map((each) => `${each.recipient} ${each.state}`)

async function deliver(...bodies: (Uint8Array | string)[]): Promise<void> {
  await storeBodies(own.company.store.writer, bodies)
}

/** Something of a report's that happened in the last week. */
const submitted = ([report = { id: '', name: '', email: '' }] = reports) =>
  toBody(
    'Progress',
    `assignment-${report.id}`,
    due - day,
    { isSubmitted: true },
    { ...report, managers: [{ id: manager.id }] },
  )

/** A manager, and a person of hers who has submitted. */
async function begin(): Promise<void> {
  await deliver(submitted())
  await enter(own.company, manager.email, 'manager')
}

test('a manager gets a digest of her people and of nobody else, once, whatever is asked again, and again in the next week', async () => {
  await begin()
  await process.digester.tick()
  expect(mails().map(({ envelopeTo }) => envelopeTo)).toEqual([[manager.email]])
  const [mail] = mails()
  const { text = '', html = '' } = mail ?? {}
  for (const part of [text, html]) {
    expect(part).toContain(reports[0]?.name)
    for (const { id, name, email } of strangers)
      for (const secret of [id, name, email]) expect(part).not.toContain(secret)
    expect(part).not.toContain('Hidden Unit')
    expect(part).toContain(`${site}/grading`)
    expect(part).toContain(`You receive this digest as a manager in Rollcall (${site}).`)
  }
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&')),
  )
  const ofNumbers = links.filter(({ pathname }) =>
    ['/', '/overdue', '/grading', '/assignments'].includes(pathname),
  )
  expect(new Set(ofNumbers.map(({ pathname }) => pathname)).size).toBeGreaterThan(2)
  for (const { href, searchParams } of ofNumbers)
    expect([href, searchParams.get('as_of')]).toEqual([href, new Date(due).toISOString()])
  expect(mail?.subject).toBe('Rollcall: 1 waiting for a grade')
  expect(text).toMatch(/Completion: .*of 2 assigned/)
  // Nothing is loaded from anywhere.
  expect(html).not.toMatch(/<img|<script|<link|url\(|@import/)
  expect(html.match(/(href|src)="(?!https:\/\/rollcall\.example\.com)/g)).toBeNull()

  await process.digester.tick()
  await own.openProcess().digester.tick()
  own.clock.now -= 7 * day
  await own.openProcess().digester.tick()
  own.clock.now = due + hour
  await own.openProcess().digester.tick()
  // The clock that went back found another week, in which it was never sent.
  expect(mails().length).toBe(2)
  own.clock.now = due + 7 * day
  await own.openProcess().digester.tick()
  expect(mails().length).toBe(3)
  expect(new Set(mails().map(({ messageId }) => messageId)).size).toBe(3)
})

test.runIf(isLong)('the next one begins where the last one that surely arrived ended', async () => {
  await begin()
  await process.digester.tick()
  expect(mails()[0]?.text).toContain('1 submitted')
  own.clock.now = due + 7 * day
  await process.digester.tick()
  expect(mails()[1]?.text).not.toContain('submitted\n')
})

test('a manager who was never here gets none; the first one comes after the first sign-in', async () => {
  await deliver(submitted())
  await enter(own.company, manager.email, 'manager', '', { signsIn: false })
  await process.digester.tick()
  expect([mails(), await lastStates()]).toEqual([[], []])
  await visit(own.company, manager.email)
  own.clock.now += hour
  await process.digester.tick()
  expect(mails().map(({ envelopeTo }) => envelopeTo)).toEqual([[manager.email]])
})

test('its title is its week, and it leads to reminders for the people whom it names', async () => {
  const [report = { id: '', name: '', email: '' }] = reports
  const person = { ...report, managers: [{ id: manager.id }] }
  await deliver(toBody('Created', 'new-overdue', due - 6 * day, { dueDate: due - 3 * day }, person))
  await enter(own.company, manager.email, 'manager')
  await process.digester.tick()
  const [{ text = '', html = '' } = {}] = mails()
  expect(text).toMatch(/^Rollcall digest, week of 2 Feb\nYour people, Mon 2 Feb.–.Mon 9 Feb\n/)
  expect(text).toContain(`Remind this person\n  ${site}/remind?ticked=true&user=${report.id}\n`)
  expect(html).toContain(`href="${site}/remind?ticked=true&amp;user=${report.id}"`)
})

test('it says what became of the numbers since the last one, and how much is due in the next 7 days', async () => {
  const [first, second] = reports.map((person) => ({ ...person, managers: [{ id: manager.id }] }))
  const completed = {
    isSubmitted: true,
    isCompleted: true,
    passed: true,
    isFullyGraded: true,
    calculatedGrade: 90,
  }
  await deliver(
    toBody('Created', 'due-soon', monday, { dueDate: due + 3 * day }, second),
    toBody(
      'Completed',
      'assignment-102',
      due - day,
      { ...completed, completedAt: due - day, status: 'completed' },
      first,
    ),
  )
  await enter(own.company, manager.email, 'manager')
  await process.digester.tick()
  const [{ text = '', html = '' } = {}] = mails()
  for (const part of [text, html]) {
    expect(part).toMatch(/1 of 3 assigned, \+33\.3 points since /)
    expect(part).toMatch(/1 overdue, −1 since /)
    expect(part).toContain('1 due in the next 7 days')
    expect(part).toContain(`${site}/assignments?fact=due_soon`)
  }
})

test.runIf(isLong)(
  'notes on the days that it covers are in it, for those who read them on charts',
  async () => {
    await enter(own.company, manager.email, 'manager')
    await enter(own.company, 'olga@example.com', 'owner')
    const by = { by: 'olga@example.com', address: '' }
    const add = (text: string, at: number, team = '') =>
      own.company.entrance.notes.add({ text, team, day: new Date(at).toISOString().slice(0, 10) }, by)
    // The first day is the one on which the last week began.
    await add('New prices', due - 7 * day)
    await add('Own team moves', due, ownTeam.id)
    await add('Hidden unit grows', due, foreignTeam.id)
    await add('Too old', due - 8 * day)
    await add('Too early', due + day)
    await deliver(submitted())
    await process.digester.tick()
    const [{ text = '', html = '' } = {}] = mails()
    for (const part of [text, html]) {
      expect(part).toMatch(/Notes.*New prices.*2 Feb 2026.*Own team moves.*9 Feb 2026, Own Team/s)
      for (const absent of ['Hidden', 'Too old', 'Too early']) expect(part).not.toContain(absent)
      expect(part).toContain(`${site}/notes`)
    }
    // The preview is of the last full week, Monday to Sunday.
    const previewed = async (login: string) => (await process.pages.previewOf(login))?.text ?? ''
    const before = await previewed(manager.email)
    expect([before.includes('New prices'), before.includes('Own team moves')]).toEqual([true, false])
    own.clock.now += 7 * day
    expect(await previewed(manager.email)).toMatch(/Own team moves/)
    const all = await previewed('olga@example.com')
    for (const seen of ['Own team moves', 'Hidden unit grows']) expect(all).toContain(seen)
    const [note] = (await createNotes(own.company.access).read()).filter(
      ({ text }) => text === 'Own team moves',
    )
    await own.company.entrance.notes.remove(note?.id ?? '', { ...by, isOwner: true })
    expect(await previewed(manager.email)).not.toContain('Own team moves')
  },
)

test.runIf(isLong)(
  'a manager whom the platform does not know gets none, and the owner sees what to do',
  async () => {
    await enter(own.company, 'nobody@example.com', 'manager')
    // A report of hers has no people, and so nothing to say.
    await enter(own.company, 'ron@example.com', 'manager')
    await process.digester.tick()
    await process.digester.tick()
    expect(mails()).toEqual([])
    expect((await lastStates()).toSorted()).toEqual(['nobody@example.com refused', 'ron@example.com skipped'])
    const detail = 'Not sent: no person at the platform has this email. Set the platform user id.'
    expect(await process.pages.trouble()).toEqual({ count: 1, detail })
    const [member] = await process.pages.members.list()
    expect(await process.pages.sendTest(member as never)).toEqual({ state: 'not_sent', detail })
    const headers = await own.company.as('owner')
    const open = async (path: string) => (await own.company.app.request(path, { headers })).text()
    const page = await open('/digest')
    expect(page).toContain(`refused">${detail}</span>`)
    expect(page).toContain('not needed. Nothing to report.')
    headers['accept-language'] = 'de'
    expect(await open('/digest')).toContain('Niemand auf der Plattform hat diese E-Mail-Adresse.')
  },
)

test.runIf(isLong)(
  'a manager who is barred or has no role gets none; an analyst gets one where she asked',
  async () => {
    await deliver(submitted())
    await enter(own.company, manager.email, 'nobody')
    await enter(own.company, 'analyst@example.com', 'analyst')
    await process.digester.tick()
    expect(mails()).toEqual([])
    const chosen = { frequency: 'weekly' as const, weekday: 1, hour: 7, time_zone: '', alerts: false }
    await process.pages.members.choose('analyst@example.com', chosen)
    await process.digester.tick()
    expect(mails().map(({ envelopeTo }) => envelopeTo)).toEqual([['analyst@example.com']])
    // Names are not granted to this analyst.
    for (const { name } of [...reports, ...strangers])
      expect(`${mails()[0]?.text} ${mails()[0]?.html}`).not.toContain(name)
  },
)

test.runIf(isLong)('the zone, the day and the hour are hers', async () => {
  await begin()
  const chosen = { frequency: 'daily' as const, weekday: 1, hour: 7, time_zone: 'Asia/Tokyo', alerts: false }
  await process.pages.members.choose(manager.email, chosen)
  // 16:01 in Tokyo: it was due there nine hours ago.
  await process.digester.tick()
  expect(mails().length).toBe(1)
  own.clock.now = due + day - 10 * hour
  await process.digester.tick()
  expect(mails().length).toBe(1)
  own.clock.now = due + day - 9 * hour
  await process.digester.tick()
  expect(mails().length).toBe(2)
})

/** Names that the platform may send, and how a line of a mail says them; `null`: the delivery is refused. */
const hostileNames: [name: string, text: string | null][] = [
  ['Ada\r\nBcc: eve@example.com\r\n\r\n.\r\nQUIT', 'Ada Bcc: eve@example.com . QUIT'],
  ['Subject: win\nContent-Type: text/html', 'Subject: win Content-Type: text/html'],
  ['--boundary--\u2028=?utf-8?B?QmNj?=\u2029=0D=0A', '--boundary-- =?utf-8?B?QmNj?= =0D=0A'],
  [`"Ada" 'Eve' <eve@example.com>, bob@example.com`, `"Ada" 'Eve' <eve@example.com>, bob@example.com`],
  ['Ada \u202egnp.exe\u2066', 'Ada gnp.exe'],
  ['=HYPERLINK("https://evil.example","Ada")', '=HYPERLINK("https://evil.example","Ada")'],
  ['<img src=x onerror=alert(1)></td><script>&amp;', '<img src=x onerror=alert(1)></td><script>&amp;'],
  ['Ada\u0000\u0007\u001b[31m\u007f', 'Ada [31m'],
  ['Ada \ud800 \udc00', 'Ada \ufffd \ufffd'],
  ['👩‍👩‍👧‍👦 名前 Ünï', '👩‍👩‍👧‍👦 名前 Ünï'],
  ['שרה', '\u2068שרה\u2069'],
  ['😀'.repeat(130), `${'😀'.repeat(119)}…`],
  // More is refused before it is stored.
  ['x'.repeat(10_000), null],
  [`a${'\u0301'.repeat(900)}`, `a${'\u0301'.repeat(479)}…`],
]
const headersOfMail =
  'auto-submitted content-language content-type date from list-unsubscribe list-unsubscribe-post message-id mime-version subject to'

test.runIf(isLong)(
  'names that want to be more are a line of text, and text in the HTML, of a whole mail',
  async () => {
    // One mail names eight people, so there are two managers.
    const managers = [manager, { id: '301', email: 'two@example.com' }]
    for (const { id, email } of managers) await enter(own.company, email, 'manager', id)
    const bodies = hostileNames.map(([name], index) => {
      const user = {
        id: `h${index}`,
        name,
        managers: [{ id: managers[index % 2]?.id }],
        groups: [{ id: `t${index}`, name }],
      }
      const body = toBody(
        'Progress',
        `h${index}`,
        due - day,
        { isSubmitted: true, challengeId: `h${index}` },
        user,
      )
      const event = JSON.parse(Buffer.from(body).toString()) as object
      return JSON.stringify({ ...event, challenge: { id: `h${index}`, displayTitle: name } })
    })
    await deliver(...bodies)
    await process.digester.tick()
    expect(mails().length).toBe(2)
    for (const { text = '', html = '', raw, ...mail } of mails()) {
      expect(
        mail.headers
          .map(({ key }) => key)
          .toSorted()
          .join(' '),
      ).toBe(headersOfMail)
      expect(mail.attachments).toEqual([])
      expect(text).toMatch(/unsubscribe\?key=\S+\s*$/)
      expect(html).not.toMatch(/<img|<script/)
      // Only a name of another direction is isolated.
      for (const part of [text, html])
        expect(part.replaceAll(/\u2068שרה\u2069/g, '')).not.toMatch(
          /[^\P{Cc}\t\n\r]|\p{Bidi_Control}|\p{Cs}/u,
        )
      // RFC 5322: no bare CR or LF, no line of more than 998 bytes.
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
      expect(Math.max(...raw.split('\r\n').map((each) => Buffer.byteLength(each)))).toBeLessThan(999)
      expect(raw.length).toBeLessThan(60_000)
    }
    for (const [index, [, line]] of hostileNames.entries()) {
      const mail = mails().find(({ envelopeTo }) => envelopeTo.join() === managers[index % 2]?.email)
      if (line === null) continue
      expect(mail?.text).toContain(`- ${line}: ${line}, `)
      expect(mail?.html).toContain(`>${toEscaped(line)}</a>`)
    }
  },
)

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const toEscaped = (text: string) => text.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark)

test.runIf(isLong)('her links open nothing about somebody who has left her team since', async () => {
  const [report = { id: '', name: '', email: '' }] = reports
  await begin()
  await process.digester.tick()
  const { text = '' } = mails()[0] ?? {}
  expect(text).toContain(report.name)
  const headers = await own.company.as('manager')
  const links = [...text.matchAll(/https:\/\/rollcall\.example\.com(\/\S*)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('/digest'))
  const open = async () =>
    Promise.all(links.map(async (path) => (await own.company.app.request(path, { headers })).text()))
  expect((await open()).join()).toContain(report.name)
  await deliver(toBody('Progress', 'elsewhere', due - 1, {}, { ...report, managers: [{ id: 'x-201' }] }))
  own.clock.now += 10_000
  for (const page of await open()) expect(page).not.toContain(report.name)
})

test.runIf(isLong)(
  'a mail server that fails is away: nothing is lost, it is tried again, and the owner sees why',
  async () => {
    await begin()
    const [port = 0] = await findFreePorts(1)
    const away = own.openProcess({ mailUrl: `smtp://127.0.0.1:${port}` })
    await away.digester.tick()
    expect(await lastStates()).toEqual([`${manager.email} not_sent`])
    expect(await away.pages.trouble()).toMatchObject({
      count: 1,
      detail: expect.stringMatching(/ECONNREFUSED|refused/i),
    })
    // Not at once again.
    await process.digester.tick()
    expect(mails()).toEqual([])
    own.clock.now += 2 * 60_000
    await process.digester.tick()
    expect(mails().length).toBe(1)
    expect(await process.pages.trouble()).toBeNull()
  },
)

test.runIf(isLong)(
  'an intent without an end is shown as unknown and never sent again; the next digest covers its week',
  async () => {
    await begin()
    const settle = () => Promise.reject(new Error('died'))
    const dying: DigestStore = { ...own.store, sends: { ...own.store.sends, settle } }
    await own.openProcess({ store: dying }).digester.tick()
    expect([own.errors.splice(0).length, mails().length]).toEqual([1, 1])
    own.clock.now += hour
    for (let again = 0; again < 3; again++) await own.openProcess().digester.tick()
    expect(mails().length).toBe(1)
    expect(await process.pages.trouble()).toMatchObject({ count: 1 })
    const headers = await own.company.as('owner')
    expect(await (await own.company.app.request('/digest', { headers })).text()).toContain(
      'unknown: it may have gone',
    )
    own.clock.now = due + 7 * day
    await own.openProcess().digester.tick()
    expect(mails().at(-1)?.text).toContain('1 submitted')
  },
)

test('unsubscribing: the link of a mail ends what it belongs to, and nothing else', async () => {
  await begin()
  await process.digester.tick()
  const link = new URL(headerOf(mails()[0] as never, 'List-Unsubscribe')?.slice(1, -1) ?? '')
  const { app } = own.company
  const path = `${link.pathname}${link.search}`
  // A look at it changes nothing, and shows not everybody the address.
  const page = await (await app.request(path)).text()
  expect(page).toContain('Stop the digest to m…@example.com?')
  expect(page).not.toContain(manager.email)
  expect(await (await app.request('/digest/unsubscribe?key=wrong')).text()).toContain('Unknown link.')
  expect((await app.request('/digest/unsubscribe?key=', { method: 'POST' })).status).toBe(404)
  expect((await app.request('/digest/unsubscribe?key=wrong', { method: 'POST' })).status).toBe(404)
  own.clock.now += 7 * day
  await process.digester.tick()
  expect(mails().length).toBe(2)
  // RFC 8058: a mail program posts this, from nowhere, without a cookie.
  const body = 'List-Unsubscribe=One-Click'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await app.request(path, { method: 'POST', body, headers })).status).toBe(200)
  own.clock.now += 7 * day
  await own.openProcess().digester.tick()
  expect(mails().length).toBe(2)
  // It does not let anybody in.
  expect((await app.request('/digest')).status).toBe(303)
})

test('it names the due day of the due zone, whatever the zone of its reader', async () => {
  // On Saturday afternoon in UTC it is Sunday in Auckland.
  const saturday = due - 2 * day + 6 * hour
  const person = { ...reports[1], managers: [{ id: manager.id }] }
  await deliver(toBody('Created', 'late', monday, { dueDate: saturday }, person))
  await enter(own.company, manager.email, 'manager')
  const { members, previewOf } = process.pages
  const settings = await members.settingsOf(manager.email)
  await members.choose(manager.email, { ...settings, frequency: 'weekly', time_zone: 'Pacific/Auckland' })
  const text = (await previewOf(manager.email))?.text
  expect(/due \d+ \w+/.exec(text ?? '')?.[0]).toBe('due 7 Feb')
})

test('unsubscribing is not undone by a visit at the same moment', async () => {
  await enter(own.company, manager.email, 'manager')
  const { subscriptions } = own.store
  const { members } = process.pages
  let hasBegun = false
  const other = own.openProcess({
    store: {
      ...own.store,
      subscriptions: {
        ...subscriptions,
        async put(...args) {
          if (!hasBegun) {
            hasBegun = true
            expect(await members.unsubscribe(args[1].unsubscribe_key, 'digest')).toBe(true)
          }
          return subscriptions.put(...args)
        },
      },
    },
  }).pages.members
  const { visitor } = await other.identify(manager.email)
  own.clock.now += 2 * day
  await other.note({ ...visitor, claim: { email: manager.email, role: null, userId: '' }, via: 'session' })
  expect(await other.find(manager.email)).toMatchObject({ frequency: 'off', seen_at_ms: own.clock.now })
})

test('who unsubscribes, moves to another address or chooses another hour during a pass gets no mail as of before', async () => {
  await deliver(submitted())
  const logins = [manager, reports[0], ...strangers.slice(0, 2)].map((person) => person?.email ?? '')
  for (const login of logins) await enter(own.company, login, 'manager')
  let others: string[] | undefined
  const { sends } = own.store
  const store: DigestStore = {
    ...own.store,
    sends: {
      ...sends,
      async claim(key, value) {
        if (others === undefined) {
          others = logins.filter((login) => login !== value.recipient)
          const [leaving = '', moving = '', later = ''] = others
          expect(await members.unsubscribe(await members.keyOf(leaving), 'digest')).toBe(true)
          const { visitor, identity } = await members.identify(moving)
          const claim = { email: `new.${moving}`, role: null, userId: identity.userId ?? '' }
          await members.note({ ...visitor, claim, via: 'session' })
          const hours = { frequency: 'weekly', weekday: 1, hour: 9, time_zone: '', alerts: false } as const
          await members.choose(later, hours)
        }
        return sends.claim(key, value)
      },
    },
  }
  const { pages, digester } = own.openProcess({ store })
  const { members } = pages
  await digester.tick()
  const [, moving = '', later = ''] = others ?? []
  const [first = ''] = logins.filter((login) => others?.includes(login) !== true)
  const sent = () => mails().map(({ envelopeTo }) => envelopeTo.join())
  expect(sent()).toEqual([first])
  await digester.tick()
  expect(sent()).toEqual([first, `new.${moving}`])
  own.clock.now += 2 * hour
  await digester.tick()
  expect(sent()).toEqual([first, `new.${moving}`, later])
})

describe('alerts of Health', () => {
  const owner = 'owner@example.com'
  /** A process of its own looks every minute. */
  async function pass(
    minutes: number,
    healthAt: (minute: number) => object,
    store = own.store,
  ): Promise<void> {
    let minute = 0
    const arrival = { health: () => Promise.resolve(toHealth(healthAt(minute))) }
    const { digester } = own.openProcess({ store, arrival })
    for (; minute < minutes; minute++) {
      own.clock.now += 60_000
      await digester.tick()
    }
  }
  const subjects = () => mails().map(({ subject = '' }) => subject)

  test('are not for an owner who unsubscribes while the mails go', async () => {
    const logins = [owner, 'other@example.com']
    for (const login of logins) await enter(own.company, login, 'owner')
    const { sends } = own.store
    const { members } = process.pages
    const claim: typeof sends.claim = async (key, value) => {
      for (const login of logins)
        if (login !== value.recipient) await members.unsubscribe(await members.keyOf(login), 'alerts')
      // The other process knows for some seconds what it has read.
      own.clock.now += 10_000
      return sends.claim(key, value)
    }
    await pass(8, () => ({ failed: 3 }), { ...own.store, sends: { ...sends, claim } })
    expect(mails().length).toBe(1)
  })

  test('begin and end once, after they held, also over a restart; what flickers tells nobody', async () => {
    await enter(own.company, owner, 'owner')
    await pass(30, (minute) => (minute % 2 === 0 ? { failed: 1 } : {}))
    await pass(4, () => ({ failed: 3 }))
    expect(mails()).toEqual([])
    await pass(8, () => ({ failed: 3 }))
    expect(subjects()).toEqual(['Problem: webhooks could not be read'])
    expect(mails()[0]?.text).toContain('3 webhooks could not be read')
    await pass(8, () => ({ failed: 500 }))
    expect(mails().length).toBe(1)
    await pass(8, () => ({}))
    await pass(8, () => ({ lost: 2, stalled: new Date(due).toISOString() }))
    expect(subjects().toSorted()).toEqual([
      'Problem: webhooks are not accounted for',
      'Problem: webhooks are not being stored',
      'Problem: webhooks could not be read',
      'Resolved: webhooks could not be read',
    ])
    expect(mails().every(({ envelopeTo }) => envelopeTo[0] === owner)).toBe(true)
  })

  test.runIf(isLong)(
    'say what was seen in the language of whom they go to, also when it is over',
    async () => {
      const german = 'besitzerin@example.com'
      for (const login of [owner, german]) await enter(own.company, login, 'owner')
      const chosen = { frequency: 'off', weekday: 1, hour: 8, time_zone: '', alerts: true } as const
      await process.pages.members.choose(german, { ...chosen, language: 'de' })
      await pass(8, () => ({ failed: 1_234, stalled: new Date(due).toISOString() }))
      await pass(8, () => ({}))
      const textsOf = (login: string) =>
        mails().flatMap(({ envelopeTo, text = '' }) => (envelopeTo[0] === login ? [text] : []))
      const countOf = (login: string, words: string) =>
        textsOf(login).filter((text) => text.includes(words)).length
      expect([
        countOf(german, '1.234 Webhooks waren nicht lesbar'),
        countOf(german, 'Der Grund: disk full'),
      ]).toEqual([2, 2])
      expect(countOf(owner, '1,234 webhooks could not be read')).toBe(2)
      for (const text of textsOf(german)) expect(text).not.toMatch(/deliver|accounted|reason/)
      for (const text of textsOf(owner)) expect(text).not.toMatch(/Verbleib|Grund/)
    },
  )
})
