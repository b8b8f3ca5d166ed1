/** People and one person over a real store: counts that are the rows', pages to the end, and the story of an assignment. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import type { LearnerRequest } from '../../reporting/scope/learner-request.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import { flagBits } from '../../schemas/webhook/event-bits.ts'
import { toSteps } from '../../reporting/explain/steps.ts'
import { toTimeline } from '../../reporting/explain/timeline.ts'
import { findFieldDrift } from '../../schemas/webhook/find-drift.ts'
import { parseDelivery } from '../../schemas/webhook/parse-delivery.ts'
import { day, toBody } from '../support/data/records.ts'
import { filledNow } from './filled-company.ts'
import { openCompanyDashboards, type StoreDashboards } from './store-dashboards.ts'
import { settings } from './ui/serve.ts'
import { ownReader } from '../../reporting/read/reader.ts'

let opened: StoreDashboards
let queries: Queries
const scope = createScope(filledNow, settings)
const done = { isFullyGraded: true, isCompleted: true, passed: true, completedAt: filledNow - 8 * day }
/** Each event by its age in days. */
const story = (
  [
    ['Created', 30, { dueDate: filledNow - 20 * day }],
    ['Progress', 25, { completionPercentage: 20 }],
    ['Progress', 9, { isSubmitted: true }],
    ['Completed', 8, { ...done, calculatedGrade: 60 }],
    ['Progress', 6, { ...done, calculatedGrade: 75 }],
  ] as const
).map(([kind, age, more]) =>
  toBody(
    kind,
    'story / 1',
    filledNow - age * day,
    { dueDate: filledNow - 10 * day, ...more },
    { id: 'ü/1', name: "Ëva d'Story" },
  ),
)
/** More assignments than the page of their person lists; the oldest are overdue. */
const busy = Array.from({ length: 53 }, (_, n) => {
  const createdAt = filledNow - (60 - n) * day
  const dueDate = n < 2 ? filledNow - 3 * day : null
  return toBody(
    'Created',
    `busy ${n}`,
    createdAt,
    { createdAt, dueDate },
    { id: 'busy', name: '<b>Bea</b> Busy' },
  )
})
/** Said to be created later than the event that says so. */
const early = toBody('Created', 'early', filledNow - day, { createdAt: filledNow + day }, { id: 'busy' })
const nameless = toBody('Created', 'nameless', filledNow - day, {}, { id: 'nameless', name: '' })
/** Its person and its challenge stand where nobody looks for them. */
const misplaced = (() => {
  const created = { createdAt: filledNow - 30 * day, dueDate: null }
  const body = JSON.parse(toBody('Created', 'misplaced', filledNow - day, created).toString()) as Record<
    string,
    unknown
  >
  const { user, challenge, ...rest } = body
  return Buffer.from(JSON.stringify({ ...rest, data: { user, challenge } }))
})()
beforeAll(async () => {
  opened = await openCompanyDashboards([...story, ...busy, early, nameless, misplaced])
  queries = createQueries(ownReader(opened.store.reader))
})
afterAll(() => opened?.close())

const get = (path: string) => opened.get(path)

const readPeople = async (request: Partial<LearnerRequest> = {}) =>
  queries.learners(scope, await queries.learnerCounts(scope), { offset: 0, limit: 1_000, ...request })

describe('people', () => {
  test('are most overdue first, and their counts add up to the metrics', async () => {
    const { rows: all, total } = await readPeople()
    expect(new Set(all.map(({ user_id }) => user_id)).size).toBe(all.length)
    const ranks = all.map((each) => each.overdue * 1_000 + each.awaiting_grading)
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a))
    const { metrics } = await queries.metrics(scope)
    const sum = (key: 'assigned' | 'completed' | 'overdue' | 'awaiting_grading') =>
      all.reduce((n, each) => n + each[key], 0)
    // One has no person.
    expect(sum('assigned')).toBe(metrics.assigned.value - 1)
    expect(sum('completed')).toBe(metrics.completion_rate.numerator)
    expect(sum('overdue')).toBe(metrics.overdue.value)
    expect(sum('awaiting_grading')).toBe(metrics.grading_backlog.value)
    expect([all.length, total]).toEqual(Array(2).fill(metrics.people_fully_complete.denominator))
    expect((await readPeople({ only: 'complete' })).total).toBe(metrics.people_fully_complete.numerator)
    expect((await readPeople({ offset: 3, limit: 4 })).rows).toEqual(all.slice(3, 7))
  })

  test('are sorted by each head, people without a name last', async () => {
    for (const key of ['overdue', 'awaiting_grading', 'completed', 'assigned'] as const) {
      const counts = (await readPeople({ by: key })).rows.map((row) => row[key])
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
      expect((await readPeople({ by: `-${key}` })).rows.map((row) => row[key])).toEqual(counts.toReversed())
    }
    const names = async (by: string) => (await readPeople({ by })).rows.map(({ user_name }) => user_name)
    const [up, down] = [await names('user_name'), await names('-user_name')]
    const named = up.filter(Boolean)
    expect(named).toEqual(named.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    expect(down).toEqual([...named.toReversed(), ...up.slice(named.length)])
  })

  test('are found by a part of the name, however it is written, and by the id', async () => {
    const find = async (search: string) => (await readPeople({ search })).rows.map((each) => each.user_id)
    expect(await find('ËVA D')).toEqual(['ü/1'])
    expect(await find("d's")).toEqual(['ü/1'])
    expect(await find('ü/1')).toEqual(['ü/1'])
    expect(await find("%' OR 1=1 --")).toEqual([])
  })

  test('are as many as the link of each filter says, and the search is never markup', async () => {
    const html = await get('/learners?q=%3Cb%3E')
    expect(html).toContain('value="&lt;b&gt;"')
    expect(html).not.toContain('<b>Bea')
    const links = [
      ...(await get('/learners')).matchAll(/<a href="(\/learners[^"]*)#people"[^>]*>(?:All )?(\d+)/g),
    ]
    expect(links.length).toBe(5)
    for (const [, link = '', count] of links)
      expect(await get(link.replaceAll('&amp;', '&')), link).toContain(`data-total="${count}"`)
  })

  test('are files with names first and ids last, in the order of the page', async () => {
    const page = await get('/learners?sort=-assigned&with=overdue')
    const [, file = ''] = /href="(\/learners\.csv[^"]*)"/.exec(page) ?? []
    const [head, ...lines] = (await get(file.replaceAll('&amp;', '&'))).trim().split('\r\n')
    expect(head).toBe('user_name,overdue,awaiting_grading,completed,assigned,managers,teams,has_left,user_id')
    const { rows } = await readPeople({ by: '-assigned', only: 'overdue' })
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(rows.map(({ user_id }) => user_id))
  })
})

test('steps tell moves of the due date, first times and regrades, each with its event', async () => {
  const events = await queries.assignmentEvents('story / 1', filledNow)
  expect(
    toSteps(toTimeline(events)).map(({ kind, event_id }) => [
      kind,
      events.findIndex((e) => e.event_id === event_id),
    ]),
  ).toEqual([
    ['assigned', 0],
    ['due_moved', 1],
    ['started', 1],
    ['submitted', 2],
    ['graded', 3],
    ['completed', 3],
    ['regraded', 4],
  ])
})

test('steps say that what failed or was completed is open again, and may end once more', async () => {
  const [first] = await queries.assignmentEvents('story / 1', filledNow)
  if (first === undefined) throw new Error('no event')
  const toEvent = (status: string, at: number) => ({
    ...first,
    event_id: `${at}`,
    at: first.at + at,
    type_number: at === 0 ? first.type_number : first.type_number + 1,
    event_type: at === 0 ? first.event_type : 'assignmentProgress.challenge',
    status,
    flags_true: status === 'completed' ? flagBits.isCompleted : 0,
  })
  const told = 'not_started failed failed in_progress failed completed in_progress completed'.split(' ')
  expect(
    toSteps(toTimeline(told.map(toEvent)))
      .map(({ kind, event_id }) => `${kind} ${event_id}`)
      .filter((step) => /failed|reopened|completed/.test(step)),
  ).toEqual(['failed 1', 'reopened 3', 'failed 4', 'completed 5', 'reopened 6', 'completed 7'])
})

test('an assignment’s page begins with its state, and each step leads to its event; an overdue one reminds', async () => {
  const html = await get(`/assignments/${encodeURIComponent('story / 1')}`)
  for (const words of [
    '<b>Completed, grade 75, due 10 Nov 2026</b>',
    'from 31 Oct to 10 Nov',
    'from 60 to 75',
  ])
    expect(html).toContain(words)
  expect(html).not.toContain('href="/remind')
  const anchors = [...html.matchAll(/href="#(event-[^"]+)"/g)].map(([, anchor]) => anchor)
  expect(anchors.length).toBe(7)
  for (const anchor of anchors) expect(html).toContain(`id="${anchor}"`)
  const overdue = await get('/assignments/busy%200')
  expect(overdue).toMatch(
    /<b class="late-mark">Overdue by 3 days, due [^]*href="\/remind\?user=busy"[^]*What happened/,
  )
})

test('a person’s page lists what is overdue first, links each assignment once, and counts all of them', async () => {
  const html = await get('/learners/busy')
  const links = [...html.matchAll(/href="\/assignments\/([^"?]+)"/g)].map(([, id = '']) =>
    decodeURIComponent(id),
  )
  expect(links.slice(0, 3)).toEqual(['busy 0', 'busy 1', 'busy 52'])
  expect([links.length, new Set(links).size]).toEqual([50, 50])
  for (const words of ['2 overdue, the longest for 3 days.', '1–50 of 53']) expect(html).toContain(words)
  const counts = [...html.matchAll(/href="(\/assignments\?[^"]+)" data-count="(\d+)"/g)]
  expect(new Set(counts.map(([, , count]) => count))).toEqual(new Set(['53', '2', '51']))
  for (const [, link = '', count] of counts)
    expect(await get(link.replaceAll('&amp;', '&')), link).toContain(`data-total="${count}"`)
})

test('an assignment that is to be created later is not said to be taken away', async () => {
  expect(await get('/assignments/early')).toContain('It is assigned only after this moment')
})

test('a learner’s page leads to the rows of this person alone, whatever other ids its address names', async () => {
  const html = await get(`/learners/${encodeURIComponent('ü/1')}?user=somebody&include_leavers=true`)
  expect(html).toContain('<a href="mailto:ada@example.com">ada@example.com</a>')
  // Not the tabs and keys: they carry the filters of the address.
  const rows = [
    ...html.slice(html.indexOf('<h1'), html.indexOf('</main>')).matchAll(/href="\/assignments\?([^"]+)"/g),
  ].map(([, query = '']) => new URLSearchParams(query.replaceAll('&amp;', '&')))
  expect(rows.length).toBeGreaterThan(0)
  for (const query of rows) {
    expect(query.getAll('user')).toEqual(['ü/1'])
    expect(query.getAll('include_leavers')).toEqual(['true'])
  }
})

test('a week before a moment to come is one, and Now leads back from it', async () => {
  const steps = async (asOf: string) => {
    const html = (await get(`/teams?as_of=${asOf}`)).split('class="steps"')[1]?.split('</nav>')[0] ?? ''
    return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  }
  expect(await steps('2027-03-08')).toEqual(['/teams?as_of=2027-03-01', '/teams'])
  expect(await steps('2026-11-27')).toEqual(['/teams', '/teams'])
  expect(await steps('2026-11-18')).toEqual(['/teams?as_of=2026-11-11', '/teams', '/teams'])
})

test('nobody, and no assignment, by an id is said as not found', async () => {
  for (const path of ['/learners/nobody', '/assignments/none', '/assignments/%00'])
    expect((await opened.dashboards.app.request(path)).status, path).toBe(404)
})

test('a delivery whose person and challenge stand in an unknown place is accepted, counted for nobody, and named as such', async () => {
  expect(parseDelivery(misplaced)).toMatchObject({ outcome: 'event' })
  expect(findFieldDrift(JSON.parse(misplaced.toString())).map(({ kind, path }) => `${kind} ${path}`)).toEqual(
    expect.arrayContaining(['unknown data', 'missing user', 'missing challenge']),
  )
  const [row] = (
    await queries.assignments(scope, { limit: 1, withTotal: false, onlyAssignment: 'misplaced' })
  ).rows
  expect(row).toMatchObject({
    user_id: null,
    user_name: null,
    created_at: new Date(filledNow - 30 * day).toISOString(),
  })
  // Home counts it once, in the week of its creation.
  expect(await get('/')).not.toMatch(/<\/strong> added|newly assigned/)
})
