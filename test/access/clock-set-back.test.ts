/** Rows of a clock that was ahead must not outlast decisions after the clock was set back. */
import { afterAll, expect, test } from 'vitest'
import { createAccess } from '../../services/access/access.ts'
import { createAccessState } from '../../services/access/access-state.ts'
import { createAccessStore } from '../../services/access/access-store.ts'
import { createAccessChanges } from '../../services/access/changes.ts'
import { createPasswordLinks } from '../../services/access/password-links.ts'
import { createSeals } from '../../services/access/session-cookie.ts'
import { storeSettings } from '../../services/clickhouse/stored-settings.ts'
import { createDigestStore } from '../../digest/digest-store.ts'
import { day } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const now = Date.now()
const ahead = now + 3 * day
const store = await openTestStore()
const access = createAccessStore(store)
afterAll(() => store.close())

const person = { login: 'ada@example.com', role: 'manager', names: true, user_id: '7', password: '' } as const
const times = { created_at_ms: ahead, expires_at_ms: ahead + 30 * day }

test('somebody who is removed is removed', async () => {
  const write = (isRemoved: boolean, nowMs: number) =>
    access.writePerson({ ...person, isRemoved, changedBy: 'owner', nowMs })
  await write(false, ahead)
  await write(true, now)
  expect(await access.readPeople()).toEqual([])
  // And may come back.
  await write(false, now)
  expect(await access.readPeople()).toEqual([person])
})

test('a token that is revoked is revoked', async () => {
  const token = { id: 't', name: 'script', sha256: 'x', role: 'analyst', names: false, user_id: '', ...times } as const
  await access.writeToken({ ...token, isRevoked: false, changedBy: 'owner', nowMs: ahead })
  expect(await access.readTokens()).toHaveLength(1)
  await access.writeToken({ ...token, isRevoked: true, changedBy: 'owner', nowMs: now })
  expect(await access.readTokens()).toEqual([])
})

test('who was signed out everywhere signs in again and gets password links, and the next end counts, too', async () => {
  let nowMs = now
  const clock = () => nowMs
  const entrance = createAccess({
    store: access,
    state: createAccessState(access, clock),
    seals: createSeals(['s'.repeat(40)], clock),
    settings: { owners: [], rules: [], sessionMs: day, auditKeepMs: day },
    clock,
    onError: (error) => expect.fail(String(error)),
  })
  const changes = createAccessChanges(entrance)
  const links = createPasswordLinks(entrance, changes)
  const by = { by: 'owner', address: '' }
  const login = 'eve@example.com'
  const begin = async () => {
    const session = await entrance.newSession({ login, email: login, role: 'viewer', userId: '' })
    return { cookie: await entrance.seal(session), token: await links.make(login) }
  }
  const isGood = async ({ cookie, token }: { cookie: string; token: string }) => [
    (await entrance.fromCookie(cookie)) !== null,
    (await links.find(token)) === login,
  ]
  nowMs = ahead
  await changes.setPerson({ login, role: 'viewer', names: false, userId: '', ...by })
  const before = await begin()
  await changes.signOutEverywhere({ login, ...by })
  expect(await isGood(before)).toEqual([false, false])
  nowMs = now
  const after = await begin()
  expect(await isGood(after)).toEqual([true, true])
  await changes.signOutEverywhere({ login, ...by })
  expect(await isGood(after)).toEqual([false, false])
})

test('a view that is renamed has its new name', async () => {
  const view = { id: 'v', login: 'ada@example.com', path: '/', query: '', is_offered: false }
  await access.writeView({ ...view, name: 'Before', isRemoved: false, nowMs: ahead })
  await access.writeView({ ...view, name: 'After', isRemoved: false, nowMs: now })
  expect(await access.readViews()).toMatchObject([{ name: 'After' }])
})

test('a digest that was unsubscribed stays so', async () => {
  const digests = createDigestStore(store)
  const member = { login: 'ada@example.com', email: 'ada@example.com', role: 'manager', user_id: '7' } as const
  const when = { weekday: 1, hour: 8, time_zone: 'UTC', language: 'en', alerts: false, seen_at_ms: now } as const
  await digests.writeSubscription({ ...member, ...when, unsubscribe_key: 'k', frequency: 'daily' }, ahead)
  await digests.writeSubscription({ ...member, ...when, unsubscribe_key: 'k', frequency: 'off' }, now)
  expect(await digests.readSubscriptions()).toMatchObject([{ frequency: 'off' }])
})

test('the zones of the last start hold', async () => {
  const zone = async () =>
    (await store.rows(`SELECT argMax(value, set_at) AS zone FROM rollcall.settings WHERE name = 'time_zone'`))[0]
  const set_at = ahead
  await store.writer.insert({
    table: 'rollcall.settings',
    values: [{ name: 'time_zone', value: 'Asia/Tokyo', set_at }],
    format: 'JSONEachRow',
  })
  expect(await zone()).toEqual({ zone: 'Asia/Tokyo' })
  await storeSettings(store.writer, { time_zone: 'Europe/Berlin', due_zone: 'UTC', due_end: 'instant' })
  expect(await zone()).toEqual({ zone: 'Europe/Berlin' })
})
