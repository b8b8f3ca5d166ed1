/**
 * Digests that are read together say exactly what each would say that is read alone, and nothing about strangers: for every manager of a
 * company in which people have two managers, leave, change managers, and hand assignments over.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allOf, anybody, currentVisitor, runAs, type Visitor } from '../../services/access/visitor.ts'
import { createComposer } from '../../digest/content/compose.ts'
import { readDigest, readTogether, type DigestsTogether } from '../../digest/content/read-digest.ts'
import { mayOpen } from '../../dashboards/access/route-policy.ts'
import { readFor } from '../../reporting/audience/read-for.ts'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import { configure } from '../dashboards/access/company.ts'
import { companyBodies, companyNow } from '../support/data/company.ts'
import { day, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { pickCases } from '../support/thorough.ts'
import { toDashboardSettings } from '../../dashboards/settings.ts'

const managers = Array.from({ length: 6 }, (_, id) => String(id))
const settings = toDashboardSettings(configure({ TIME_ZONE: 'Europe/Berlin' }))
const since = companyNow - 30 * day
let store: TestStore
let queries: Queries
/** Who is under whom is held for some seconds; a test that changes it lets them pass. */
let now = companyNow

type Sent = { user: { id: number; managers: { id: number }[] }; challengeAssignment: { id: string } }

const managersOf = (id: number) => [
  // A ring of managers, each with her own people and those of the managers below her.
  ...(id < managers.length ? (id % 3 === 0 ? [] : [{ id: id - 1 }]) : [{ id: id % managers.length }]),
  ...(id % 5 === 0 && id > managers.length ? [{ id: (id + 2) % managers.length }] : []),
]

function toBodies(): Uint8Array[] {
  const bodies = companyBodies().map((body) => {
    const sent = JSON.parse(Buffer.from(body).toString()) as Sent
    sent.user.managers = managersOf(sent.user.id)
    // The order of bytes is another than that of letters.
    if (sent.user.id % 2 === 0) sent.challengeAssignment.id = `é${sent.challengeAssignment.id}`
    return Buffer.from(JSON.stringify(sent))
  })
  const waiting = Array.from({ length: 40 }, (_, index) => {
    const id = 6 + (index % 12)
    const at = companyNow - (index % 4) * day
    return toBody('Progress', `w${index}`, at, { isSubmitted: true }, { id, managers: managersOf(id) })
  })
  return [...bodies, ...waiting]
}

/** Handed over within the time of the digest: from a person of manager 1 to one of manager 4. */
function handedOver(): Uint8Array[] {
  return [7, 10].map((id, index) =>
    toBody(
      'Progress',
      'moved',
      companyNow - (40 - 30 * index) * day,
      { createdAt: companyNow - 50 * day },
      { id, managers: managersOf(id) },
    ),
  )
}

beforeAll(async () => {
  store = await openTestStore()
  const audience = () => currentVisitor().audience
  queries = createQueries(readFor(store.reader, { audience, clock: () => now }))
})
afterAll(() => store?.close())

/** Whether the company is as it was. */
let isUnchanged = false
beforeEach(async () => {
  if (isUnchanged) return
  await store.clear()
  await storeBodies(store.writer, toBodies())
  now = companyNow
  isUnchanged = true
})

async function change(bodies: Uint8Array[]): Promise<void> {
  isUnchanged = false
  await storeBodies(store.writer, bodies)
}

function as(id: string): Visitor {
  const people = { under: [id], teams: [], teamsOf: [] }
  return { login: id, role: 'manager', via: 'digest', audience: { people, names: true, persons: true } }
}

const alone = (id: string) => runAs(as(id), () => readDigest(queries, { since, now, settings }))

async function together(ids: readonly string[]): Promise<DigestsTogether> {
  const read = await runAs(allOf(ids.map(as)), () => readTogether(queries, { since, now, settings }))
  if (read === null) throw new Error('it was not read together')
  return read
}

const own = (read: DigestsTogether, id: string) => runAs(as(id), () => read.own())

test('every digest is, to the letter, what it is when it is read alone', async () => {
  const read = await together(managers)
  const asked = pickCases(managers, 8)
  const said = new Set<string>()
  for (const id of asked) {
    const digest = await own(read, id)
    expect(digest).toEqual(await alone(id))
    expect(digest?.changes.length).toBeGreaterThan(3)
    said.add(JSON.stringify(digest))
  }
  // They are about different people.
  expect(said.size).toBe(asked.length)
  const digests = await Promise.all(managers.map((id) => own(read, id)))
  expect(digests.some((digest) => (digest?.waiting.total ?? 0) > 8)).toBe(true)
})

test('nobody gets a part about somebody whom she does not see', async () => {
  const read = await together(managers)
  for (const id of managers) {
    const hers = new Set(await runAs(as(id), () => queries.under({ manager: [] } as never)))
    const digest = await own(read, id)
    const people = [...(digest?.newlyLate.rows ?? []), ...(digest?.waiting.rows ?? [])].map(({ user_id }) => user_id)
    expect(people.length).toBeGreaterThan(0)
    for (const person of people) expect([id, hers.has(person ?? '')]).toEqual([id, true])
  }
})

test('somebody for whom it was not read gets nothing of it', async () => {
  const read = await together(['1', '2'])
  expect(await own(read, '4')).toBeNull()
  // Everybody's numbers are no part.
  expect(await runAs(anybody, () => read.own())).toBeNull()
  expect(() => allOf([as('1'), anybody])).toThrow('Only what managers see')
})

test('what went from one person to another is read alone for a manager who sees only one of them', async () => {
  await change(handedOver())
  const read = await together(managers)
  const [from, to] = [await own(read, '1'), await own(read, '4')]
  expect([from, to]).toEqual([null, null])
  // The others are not concerned.
  expect(await own(read, '2')).toEqual(await alone('2'))
})

test('whom she lost between the reading and the sending is in it no more; whom she gained makes it be read again', async () => {
  const read = await together(['2', '5'])
  const before = await own(read, '5')
  const [lost] = before?.waiting.rows ?? []
  expect(lost).toBeDefined()
  const moved = { id: Number(lost?.user_id), managers: [{ id: 99 }] }
  await change([toBody('Progress', 'news', companyNow - 1, {}, moved)])
  now += 6_000
  const composer = createComposer({
    queries,
    settings,
    mayOpen,
    site: 'https://rollcall.example.com',
    clock: () => now,
  })
  const compose = () =>
    composer.compose({
      visitor: as('5'),
      member: { schedule: null, language: 'en' },
      timeZone: 'Europe/Berlin',
      unsubscribeUrl: null,
      together: read,
    })
  const after = await own(read, '5')
  expect(after?.waiting.rows.map(({ user_id }) => user_id)).not.toContain(lost?.user_id)
  expect((await compose()).asOfMs).toBe(read.asOf)
  const gained = { id: 4_711, name: 'Nora New', managers: [{ id: 5 }] }
  await change([toBody('Progress', 'more news', companyNow - 1, {}, gained)])
  now += 6_000
  expect(await own(read, '5')).toBeNull()
  expect((await compose()).asOfMs).toBe(now)
})
