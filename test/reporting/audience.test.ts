/** Who sees what, at the place where it is decided: the statements behind every page, export and answer. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AudienceError, everybody, toAudienceKey, type Audience } from '../../reporting/audience.ts'
import { readFor } from '../../reporting/queries/read-for.ts'
import { createBlockReader, holdBlocks } from '../../reporting/statements/read-blocks.ts'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import { readSetup } from '../../reporting/queries/setup.ts'
import { readSections } from '../../schemas/clickhouse/sections.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'

const now = monday + 40 * day

/** 1 leads 2, 2 leads 3; 4 is a stranger, alone in team t9 with challenge c9. On day 10, person 5 went from 2 to 4. */
const bodies = [
  toBody('Created', 'a1', monday, {}, { id: 1, name: 'Ada One', managers: [], directReports: [{ id: 2 }] }),
  toBody(
    'Created',
    'a2',
    monday,
    {},
    {
      id: 2,
      name: 'Bo Two',
      email: 'Bo.Two@Example.com',
      managers: [{ id: 1 }],
      groups: [{ id: 't1', name: 'Red' }],
    },
  ),
  toBody(
    'Created',
    'a3',
    monday,
    {},
    { id: 3, name: 'Cy Three', managers: [{ id: 2 }], groups: [{ id: 't1', name: 'Red' }] },
  ),
  toBody(
    'Created',
    'a4',
    monday,
    { challengeId: 'c9' },
    { id: 4, name: 'Di Stranger', groups: [{ id: 't9', name: 'Secret' }] },
  ),
  toBody('Created', 'a5', monday, {}, { id: 5, name: 'Ed Former', managers: [{ id: 2 }] }),
  toBody('Progress', 'a5', monday + 10 * day, {}, { id: 5, name: 'Ed Five', managers: [{ id: 4 }] }),
]

const store = await openTestStore()
await storeBodies(store.writer, bodies)
afterAll(() => store.close())

const seeing = (people: Partial<Exclude<Audience['people'], 'all'>>): Audience => ({
  ...everybody,
  people: { under: [], teams: [], teamsOf: [], ...people },
})

function queriesOf(audience: Audience | (() => Audience)): Queries {
  const asked = typeof audience === 'function' ? audience : () => audience
  const client = readFor(store.reader, { audience: asked, clock: () => now })
  const readBlocks = holdBlocks(createBlockReader(client), {
    audienceKey: () => toAudienceKey(client.audience()),
  })
  return createQueries(client, { readBlocks })
}

const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const

function scope(query = ''): Scope {
  return parseScope(new URLSearchParams(query), { now, settings }).scope
}

async function idsOf(queries: Queries, asked: Scope): Promise<string[]> {
  const { rows, total } = await queries.assignments(asked, { limit: 100, withTotal: true })
  const exported = []
  for await (const page of await queries.allAssignments(asked)) exported.push(...page)
  const { metrics } = await queries.metrics(asked)
  expect([total, exported.length, metrics.assigned.value]).toEqual([rows.length, rows.length, rows.length])
  return rows.map(({ assignment_id }) => assignment_id).sort()
}

test('a manager sees her direct and indirect people in rows, exports and numbers, whatever the filter', async () => {
  const queries = queriesOf(seeing({ under: ['1'] }))
  expect(await idsOf(queries, scope())).toEqual(['a2', 'a3'])
  expect(await idsOf(queries, scope('user=4'))).toEqual([])
  expect(await idsOf(queries, scope('team=t9'))).toEqual([])
  expect(await idsOf(queries, scope('challenge=c9'))).toEqual([])
  expect(await idsOf(queries, scope('manager=4'))).toEqual([])
  expect(await idsOf(queries, scope('status=overdue'))).toEqual(['a2', 'a3'])
})

test('her people are those of today, also at a past moment at which others were under her', async () => {
  const past = scope(`as_of=${new Date(monday + 5 * day).toISOString()}`)
  expect(
    await idsOf(queriesOf(everybody), scope(`manager=2&as_of=${new Date(monday + 5 * day).toISOString()}`)),
  ).toEqual(['a3', 'a5'])
  expect(await idsOf(queriesOf(seeing({ under: ['2'] })), past)).toEqual(['a3'])
  expect(await idsOf(queriesOf(seeing({ under: ['4'] })), past)).toEqual(['a5'])
})

test('a team is an audience, and so is the team of a person, without the person', async () => {
  expect(await idsOf(queriesOf(seeing({ teams: ['t9'] })), scope())).toEqual(['a4'])
  expect(await idsOf(queriesOf(seeing({ teamsOf: ['2'] })), scope())).toEqual(['a3'])
  expect(await idsOf(queriesOf(seeing({})), scope())).toEqual([])
})

test('a search finds what the reader may see, by part of a name, the beginning of an e-mail or the whole id', async () => {
  const find = async (audience: Audience, text: string) =>
    (await queriesOf(audience).search(text, { asOf: now, now }, 8)).map(
      ({ kind, id, name }) => `${kind} ${id} ${name}`,
    )
  expect(await find(everybody, 'TWO')).toEqual(['person 2 Bo Two'])
  expect(await find(everybody, 're')).toEqual(
    expect.arrayContaining(['team t1 Red', 'person 3 Cy Three', 'team t9 Secret']),
  )
  expect(await find(everybody, '4')).toEqual(['person 4 Di Stranger'])
  expect(await find(everybody, "' OR 1 = 1 --")).toEqual([])
  expect(await find(everybody, 'bo.two@example.com')).toEqual(['person 2 Bo Two'])
  expect(await find(everybody, 'example.com')).toEqual([])
  expect(await find({ ...everybody, names: false }, 'bo.two@example.com')).toEqual([])
  expect(await find(seeing({ under: ['4'] }), 'bo.two@example.com')).toEqual([])
  const own = seeing({ under: ['1'] })
  expect(await find(own, 're')).toEqual(expect.arrayContaining(['team t1 Red', 'person 3 Cy Three']))
  expect(await find(own, 're')).not.toContain('team t9 Secret')
  expect(await find(own, 'Stranger')).toEqual([])
  expect(await find(own, 'c9')).toEqual([])
  expect(await find({ ...own, names: false }, 'Two')).toEqual([])
  expect(await find({ ...own, names: false }, '2')).toEqual(['person 2 2'])
})

test('a search at a past moment finds people by the name they had then', async () => {
  const at = async (asOf: number, text: string) =>
    (await queriesOf(everybody).search(text, { asOf, now }, 8)).map(({ name }) => name)
  expect(await at(monday + 5 * day, 'Former')).toEqual(['Ed Former'])
  expect(await at(monday + 5 * day, 'Ed Five')).toEqual([])
  expect(await at(now, 'Ed')).toContain('Ed Five')
  expect(await at(now, 'Former')).toEqual([])
})

test('without the grant no name leaves, neither in rows nor in options', async () => {
  const queries = queriesOf({ ...everybody, names: false })
  const { rows } = await queries.assignments(scope(), { limit: 100, withTotal: false })
  expect(rows).toHaveLength(5)
  expect(JSON.stringify(rows)).not.toMatch(/Ada|Stranger/)
  const { options } = await queries.overview(scope('user=4'), null)
  expect(options.people).toEqual([{ id: '4', name: '4' }])
})

test('a held answer is never given to somebody else', async () => {
  let audience: Audience = everybody
  const queries = queriesOf(() => audience)
  expect((await queries.metrics(scope())).metrics.assigned.value).toBe(5)
  audience = seeing({ under: ['1'] })
  expect((await queries.metrics(scope())).metrics.assigned.value).toBe(2)
  audience = seeing({ under: ['4'] })
  expect((await queries.metrics(scope())).metrics.assigned.value).toBe(1)
})

test('names no one whom the reader has lost since their work was counted', async () => {
  let audience = seeing({ under: ['1'] })
  const reader = readFor(store.reader, { audience: () => audience, clock: () => now })
  const queries = createQueries(reader)
  const counts = await queries.learnerCounts(scope())
  expect(counts.length).toBeGreaterThan(1)
  audience = seeing({ under: ['2'] })
  const { rows } = await queries.learners(scope(), counts, { offset: 0, limit: 10 })
  expect(rows.map(({ user_id }) => user_id)).toEqual(['3'])
})

test('a statement that cannot be narrowed is refused, and so is everything where nobody asks', async () => {
  const client = readFor(store.reader, { audience: () => seeing({ under: ['1'] }) })
  await expect(readSetup(client, null)).rejects.toBeInstanceOf(AudienceError)
  const noContext = readFor(store.reader, {
    audience: () => {
      throw new Error('nobody asks')
    },
  })
  await expect(createQueries(noContext).metrics(scope())).rejects.toThrow('nobody asks')
})

/** Tables and views with rows of people. */
const ofPeople =
  /FROM rollcall\.(open_versions|closed_versions|user_versions|user_observations|link_versions|event_rows|people_at|links_at|guide_assignments)\b/

const sections = globSync(join(import.meta.dirname, '../../reporting/{queries,statements}/*.sql')).flatMap(
  (file) => [...readSections(file)],
)
/** Counts say nothing about anybody; the deliveries are refused to readers who see some people only. */
const ofEvents = ['arrivals', 'oddities', 'receipt', 'setup-deliveries']

test.each(sections)('%s, the same for every reader, reads no row of a person', (name, text) => {
  if (!ofEvents.includes(name)) expect(text).not.toMatch(ofPeople)
})
