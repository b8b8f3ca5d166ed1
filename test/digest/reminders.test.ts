/** Reminders as they are sent: once, by the rights and the state of the moment, whatever happens in between. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DigestStore } from '../../digest/digest-store.ts'
import { toVisitor, type Visitor } from '../../services/access/visitor.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import { reading, readingOf } from '../../language/language.ts'
import { manager, reports, strangers } from '../dashboards/access/company.ts'
import { headerOf } from '../support/network/mail-server.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { enter, openDigestCompany, site, type DigestCompany, type Process } from './digest-company.ts'
import { isLong } from '../support/tiers.ts'

const [rae, ron] = reports as [(typeof reports)[0], (typeof reports)[0]]
const env = {
  REMIND: 'on',
  DIGEST_FREQUENCY: 'off',
  PLATFORM_ASSIGNMENT_URL: 'https://learn.example.com/work/{assignment_id}',
}

let own: DigestCompany
let process: Process
let mona: Visitor
beforeEach(async () => {
  own = await openDigestCompany({ now: monday + 40 * day + day / 2 })
  process = own.openProcess({ env })
  await enter(own.company, manager.email, 'manager')
  mona = await visitorOf(manager.email)
})
afterEach(async () => {
  await own.close()
  expect(own.errors).toEqual([])
})

async function visitorOf(login: string): Promise<Visitor> {
  const identity = await own.company.access.identify({ login, email: login, role: null, userId: '' })
  return toVisitor(identity, 'session', own.company.entrance.audiences)
}

const ask = (visitor: Visitor, ...ids: string[]) => process.pages.reminders.ask(visitor, ids)

const deliver = (...bodies: Uint8Array[]) => storeBodies(own.company.store.writer, bodies)
const mails = () => own.mail.mails
const addressees = () => mails().flatMap(({ envelopeTo }) => envelopeTo)
const states = async () =>
  (await own.store.readReminders({ fromMs: 0 })).map(({ user_id, state, detail }) =>
    [user_id, state, state === 'skipped' ? detail : ''].join(' ').trim(),
  )

test('a person is told what is overdue and where, from our address, with answers to the manager, and once in REMIND_EVERY_DAYS', async () => {
  await ask(mona, rae.id)
  await process.digester.tick()
  const [mail] = mails()
  if (mail === undefined) throw new Error('nothing was sent')
  expect(mail.envelopeTo).toEqual([rae.email])
  expect(mail.subject).toBe('1 assignment overdue')
  expect(headerOf(mail, 'from')).toBe('rollcall@example.com')
  expect(headerOf(mail, 'reply-to')).toBe(manager.email)
  for (const part of [mail.text ?? '', mail.html ?? '']) {
    expect(part).toContain('Hello Rae,')
    expect(part).toContain('First call, due 12 Jan 2026, 33 days overdue.')
    expect(part).toContain('https://learn.example.com/work/assignment-102')
    expect(part).toMatch(/Thank you!.*Mona Boss/s)
    expect(part).toContain(
      'Mona Boss (mona@example.com) asked Rollcall to send you this, because a due date has passed.',
    )
    expect(part).toContain(`${site}/digest/unsubscribe?key=`)
    for (const { id, name, email } of [ron, ...strangers])
      for (const secret of [name, email, `assignment-${id}`]) expect(part).not.toContain(secret)
  }
  expect(headerOf(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')

  // Asked again, by another process, too: before the days are over, and after the clock was set back.
  const plan = async () => [
    ...(await process.pages.reminders.plan([{ user_id: rae.id, email: rae.email }])).values(),
  ]
  const others = [process, own.openProcess({ env })]
  for (const later of [-day, 6 * day]) {
    own.clock.now += later
    expect(await plan()).toEqual(['recent'])
    await ask(mona, rae.id)
    await Promise.all(others.map(({ digester }) => digester.tick()))
    own.clock.now -= later
  }
  expect(mails().length).toBe(1)
  own.clock.now += 8 * day
  expect(await plan()).toEqual(['send'])
  await ask(mona, rae.id)
  await process.digester.tick()
  expect(mails().length).toBe(2)
})

test.runIf(isLong)('two people who ask at the same moment, and two processes, make one mail', async () => {
  await enter(own.company, 'olga@example.com', 'owner')
  await Promise.all([ask(mona, rae.id), ask(await visitorOf('olga@example.com'), rae.id)])
  const others = [process, own.openProcess({ env }), own.openProcess({ env })]
  await Promise.all(others.map(({ digester }) => digester.tick()))
  // If all withdrew before one another, a later pass sends.
  for (let pass = 0; pass < 3; pass++) for (const { digester } of others) await digester.tick()
  expect(addressees()).toEqual([rae.email])
})

test('nobody is reminded who has finished meanwhile, is not one of the manager’s people, or of whom the manager was', async () => {
  await ask(mona, rae.id, ron.id, 'x-201', 'nobody-has-this')
  await deliver(
    toBody('Completed', `assignment-${rae.id}`, monday + 39 * day, { isCompleted: true, passed: true }, rae),
  )
  await process.digester.tick()
  expect(addressees()).toEqual([ron.email])
  const late = 'Not sent: nothing is overdue any more.'
  expect((await states()).toSorted()).toEqual(
    [
      `102 skipped ${late}`,
      '103 sent',
      `nobody-has-this skipped ${late}`,
      `x-201 skipped ${late}`,
    ].toSorted(),
  )
})

test('who may not remind any more when it is to be sent, reminds nobody', async () => {
  await ask(mona, rae.id)
  await enter(own.company, manager.email, 'analyst')
  await process.digester.tick()
  expect(await states()).toEqual(['102 skipped Not sent: the person who asked may not remind any more.'])
  expect(mails()).toEqual([])
})

test('who got none, because it was refused or skipped, may be reminded again on the next day, and the plan says so', async () => {
  own.mailbox.refusal = `no such user <${rae.email}>`
  await ask(mona, rae.id, 'x-201')
  const people = [rae, { id: 'x-201', email: 'x@example.com' }].map(({ id, email }) => ({
    user_id: id,
    email,
  }))
  const plan = async () => [...(await process.pages.reminders.plan(people)).values()]
  // On their way.
  expect(await plan()).toEqual(['recent', 'recent'])
  await process.digester.tick()
  expect((await states()).map((state) => state.split(' ', 2).join(' ')).toSorted()).toEqual([
    '102 refused',
    'x-201 skipped',
  ])
  // No address is kept.
  const details = (await own.store.readReminders({ fromMs: 0 })).map(({ detail }) => detail)
  expect(details).toContainEqual(expect.stringContaining('no such user <…>'))
  expect(await plan()).toEqual(['tried', 'tried'])
  own.clock.now += day
  expect(await plan()).toEqual(['send', 'send'])
})

test.runIf(isLong)(
  'leavers, people without an address and people who opted out get none, and the plan says why',
  async () => {
    await deliver(
      toBody(
        'Progress',
        `assignment-${rae.id}`,
        monday + day,
        {},
        { ...rae, email: 'rae@example.com, all@example.com' },
      ),
      toBody(
        'Progress',
        'more',
        monday + day,
        {},
        { id: 104, name: 'Lea', email: 'lea@x.example', isDeleted: true },
      ),
    )
    await own.store.writeOptOut(ron.id, true)
    const people = [
      { user_id: rae.id, email: 'rae@example.com, all@example.com' },
      { user_id: ron.id, email: ron.email },
      { user_id: '104', email: 'lea@x.example' },
    ]
    expect(Object.fromEntries(await process.pages.reminders.plan(people))).toEqual({
      [rae.id]: 'no_address',
      [ron.id]: 'opted_out',
      104: 'left',
    })
    // Asked for all the same.
    await enter(own.company, 'olga@example.com', 'owner')
    await ask(await visitorOf('olga@example.com'), rae.id, ron.id, '104')
    await process.digester.tick()
    expect(mails()).toEqual([])
    expect((await states()).toSorted()).toEqual(
      [
        '102 skipped Not sent: there is no usable email address.',
        '103 skipped Not sent: this person wants no reminders.',
        '104 skipped Not sent: nothing is overdue any more.',
      ].toSorted(),
    )
  },
)

test.runIf(isLong)(
  'the mail is in the language of the manager, or in the person’s own where it is known',
  async () => {
    await enter(own.company, ron.email, 'manager')
    await process.pages.members.choose(ron.email, {
      frequency: 'off',
      weekday: 1,
      hour: 7,
      time_zone: '',
      alerts: false,
      language: 'en',
    })
    await reading(readingOf('de'), () => ask(mona, rae.id, ron.id))
    await process.digester.tick()
    const subjects = Object.fromEntries(mails().map((mail) => [mail.envelopeTo[0], mail.subject]))
    expect(subjects).toEqual({ [rae.email]: '1 Zuweisung überfällig', [ron.email]: '1 assignment overdue' })
    const german = mails().find(({ envelopeTo }) => envelopeTo[0] === rae.email)
    expect(german?.text).toContain('First call, fällig 12. Jan. 2026, 33 Tage überfällig.')
    expect(german?.text).toContain('Mona Boss (mona@example.com) hat Rollcall gebeten')
  },
)

test('one that fails at every pass does not hold up the others', async () => {
  const store: DigestStore = {
    ...own.store,
    readOptedOut: ([id = '']) =>
      id === rae.id ? Promise.reject(new Error('not about this person')) : own.store.readOptedOut([id]),
  }
  process = own.openProcess({ env, store })
  await ask(mona, rae.id, ron.id)
  for (let pass = 0; pass < 3; pass++) await process.digester.tick()
  expect([addressees(), (await states()).toSorted()]).toEqual([[ron.email], ['102 asked', '103 sent']])
  expect(own.errors.splice(0).map(String)).toEqual(Array(3).fill('Error: not about this person'))
})

test.runIf(isLong)(
  'somebody who is erased in between gets none, and no name of either side stays',
  async () => {
    await ask(mona, rae.id, ron.id)
    const client = own.company.store.writer
    const settle = () => Promise.resolve()
    await erasePerson({ client, userId: rae.id, settle })
    await process.digester.tick()
    expect(addressees()).toEqual([ron.email])
    expect(await states()).toEqual(['103 sent'])
    await erasePerson({ client, userId: manager.id, settle })
    expect((await own.store.readReminders({ fromMs: 0 })).map(({ asked_by }) => asked_by)).toEqual([
      '[erased]',
    ])
    await erasePerson({ client, userId: ron.id, settle })
    expect(await own.store.readReminders({ fromMs: 0 })).toEqual([])
    const left = await client.query({
      query: `SELECT count() AS n FROM rollcall.records WHERE kind = 'send'`,
      format: 'JSONEachRow',
    })
    expect(await left.json()).toEqual([{ n: expect.toSatisfy((n: unknown) => Number(n) === 0) as unknown }])
  },
)

test('the link in a mail ends reminders to this person by a button, and by nothing else', async () => {
  await ask(mona, rae.id, ron.id)
  await process.digester.tick()
  const [mail] = mails()
  const path = (mail && headerOf(mail, 'list-unsubscribe'))?.slice(1 + site.length, -1) ?? ''
  expect(path).toMatch(/^\/digest\/unsubscribe\?key=[\w-]{32}&of=reminders$/)
  const { app } = own.company
  const who = addressees()[0] === rae.email ? rae.id : ron.id
  const optedOut = async () => [...(await own.store.readOptedOut([rae.id, ron.id]))]
  const seen = await app.request(path)
  expect([seen.status, await seen.text()]).toEqual([
    200,
    expect.stringContaining('Stop reminders to the address of this link?'),
  ])
  await app.request(path, { method: 'HEAD' })
  expect(await optedOut()).toEqual([])
  const wrong = path.replace(/key=..../, 'key=xxxx')
  for (const method of ['GET', 'POST']) {
    const answer = await app.request(wrong, { method })
    expect(await answer.text()).not.toContain('Stop reminders')
    expect([method, answer.status, await optedOut()]).toEqual([method, method === 'GET' ? 200 : 404, []])
  }
  const done = await app.request(path, { method: 'POST' })
  expect([done.status, await optedOut()]).toEqual([303, [who]])
  // The same link turns them on again.
  const page = await (await app.request(path)).text()
  expect(page).toContain('Turn reminders on again')
  const again = await app.request(path, { method: 'POST', body: new URLSearchParams({ again: 'true' }) })
  expect([again.status, await optedOut()]).toEqual([303, []])
  expect(await (await app.request(path)).text()).toContain('Stop reminders')
  await app.request(path, { method: 'POST' })
  // It ends no other mail of its person.
  expect(await process.pages.members.find(manager.email)).toMatchObject({ frequency: '' })

  // The link of a person who was erased meanwhile is nobody's, and writes nothing. A person who had said no has said no.
  const links = mails().map((each) => headerOf(each, 'list-unsubscribe')?.slice(1 + site.length, -1) ?? '')
  for (const { id } of [rae, ron]) {
    await erasePerson({ client: own.company.store.writer, userId: id, settle: () => Promise.resolve() })
  }
  for (const link of links) {
    const page = await app.request(link)
    expect([page.status, await page.text()]).toEqual([200, expect.not.stringContaining('Stop reminders')])
    expect((await app.request(link, { method: 'POST' })).status).toBe(404)
  }
  expect(await optedOut()).toEqual([who])
})
