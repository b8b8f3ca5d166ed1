/** Changes between two moments: the changes of single assignments add up to the difference of every number. */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createApi } from '../../dashboards/api/app.ts'
import { parseChangeCursor, type Change, type ChangePage } from '../../reporting/queries/changes.ts'
import { readAssignmentEvents } from '../../reporting/queries/assignment-events.ts'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { holds, not, toBits, toFactMask } from '../../schemas/metrics/facts.ts'
import { partsOf } from '../../schemas/metrics/parts.ts'
import { asDescribed } from '../dashboards/api/described.ts'
import { sampleHistory } from '../model/arbitrary/apart.ts'
import { computeCauses, type Causes } from '../model/changes.ts'
import { computeAssignments, computeMetrics } from '../model/model.ts'
import { createScope, type Delivery, type Scope } from '../model/scope.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { isLong, pick } from '../support/tiers.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import {
  briefKinds,
  changeCauses,
  changeKinds,
  type ChangeCause,
  type ChangeCursor,
  type ChangeKind,
} from '../../reporting/metrics/changes.ts'

const now = Date.UTC(2026, 4, 1)

type Answer = {
  from: string
  to: string
  metrics: { from: Metrics; to: Metrics }
  parts: { metric: keyof Metrics; part: string; from: number; to: number; difference: number }[]
  total: number
  next: string | null
  assignments: Change[]
}

const inTeam = (id: number, team: number) => ({ id, groups: [{ id: team, name: `Team ${team}` }] })
const gradedAs = (calculatedGrade: number) => ({
  isSubmitted: true,
  isFullyGraded: true,
  calculatedGrade,
  passed: calculatedGrade >= 70,
})
const viewed = { firstViewedAt: monday + 9 * day, lastViewedAt: monday + 9 * day }
const newSince = { createdAt: monday + 9 * day, dueDate: monday + 11 * day }
const told = [
  toBody('Created', 'told-event', monday, {}, inTeam(-1, -1)),
  toBody(
    'Completed',
    'told-event',
    monday + 3 * day,
    { isCompleted: true, completedAt: monday + 3 * day },
    inTeam(-1, -1),
  ),
  toBody('Created', 'told-time', monday, { dueDate: monday + 2 * day }, inTeam(-2, -1)),
  toBody('Created', 'told-people', monday, { dueDate: null }, inTeam(-3, -1)),
  // Another assignment of the same person, in another challenge, brings the news that he has changed teams.
  toBody(
    'Created',
    'told-news',
    monday + 3 * day,
    { challengeId: 'c2', createdAt: monday + 3 * day },
    inTeam(-3, -2),
  ),
  // One of every kind between 25 January and 20 March.
  toBody('Created', 'told-regraded', monday, gradedAs(50), inTeam(-5, -5)),
  toBody('Completed', 'told-regraded', monday + 40 * day, gradedAs(80), inTeam(-5, -5)),
  toBody(
    'Created',
    'told-reopened',
    monday,
    { ...gradedAs(50), isCompleted: true, completedAt: monday },
    inTeam(-5, -5),
  ),
  toBody('Progress', 'told-reopened', monday + 40 * day, { dueDate: null }, inTeam(-5, -5)),
  toBody('Created', 'told-moved', monday, {}, inTeam(-6, -5)),
  toBody('Progress', 'told-moved', monday + 40 * day, { dueDate: monday + 300 * day }, inTeam(-6, -5)),
  toBody('Created', 'told-late', monday, { dueDate: monday + 50 * day }, inTeam(-6, -5)),
  toBody('Created', 'told-failed', monday, { dueDate: null }, inTeam(-6, -5)),
  toBody('Completed', 'told-failed', monday + 40 * day, { dueDate: null, status: 'failed' }, inTeam(-6, -5)),
  toBody('Created', 'told-removed', monday, {}, inTeam(-6, -5)),
  toBody('Deleted', 'told-removed', monday + 40 * day, {}, inTeam(-6, -5)),
  toBody('Created', 'told-leaver', monday, { dueDate: null }, inTeam(-7, -5)),
  toBody(
    'Created',
    'told-leaves',
    monday + 40 * day,
    { createdAt: monday + 40 * day },
    { ...inTeam(-7, -5), isDeleted: true },
  ),
  toBody('Created', 'told-returner', monday, { dueDate: null }, { ...inTeam(-8, -5), isDeleted: true }),
  toBody('Created', 'told-returns', monday + 40 * day, { createdAt: monday + 40 * day }, inTeam(-8, -5)),
  toBody('Created', 'told-same', monday, { dueDate: null }, inTeam(-4, -1)),
  // Late by time alone, whatever is sent meanwhile; and late by an event, which brings a due date that was past before.
  toBody('Created', 'why-time', monday, { dueDate: monday + 10 * day }, inTeam(-9, -9)),
  toBody('Progress', 'why-time', monday + 9 * day, { ...viewed, dueDate: monday + 10 * day }, inTeam(-9, -9)),
  toBody(
    'Progress',
    'why-time',
    monday + 12 * day,
    { ...viewed, dueDate: monday + 10 * day },
    inTeam(-9, -9),
  ),
  toBody('Created', 'why-event', monday, { dueDate: null }, inTeam(-9, -9)),
  toBody('Progress', 'why-event', monday + 9 * day, { dueDate: monday + 2 * day }, inTeam(-9, -9)),
  // Moved by an event to a day that has come since.
  toBody('Created', 'why-both', monday, { dueDate: monday + 90 * day }, inTeam(-9, -9)),
  toBody('Progress', 'why-both', monday + 9 * day, { dueDate: monday + 10 * day }, inTeam(-9, -9)),
  // New, and late since.
  toBody('Created', 'why-new', monday + 9 * day, newSince, inTeam(-9, -9)),
  // Known before it was created.
  toBody('Created', 'why-announced', monday, { createdAt: monday + 9 * day, dueDate: null }, inTeam(-9, -9)),
  // Due soon by time, viewed by an event.
  toBody('Created', 'why-other', monday, { dueDate: monday + 17 * day }, inTeam(-9, -9)),
  toBody(
    'Progress',
    'why-other',
    monday + 9 * day,
    { ...viewed, dueDate: monday + 17 * day },
    inTeam(-9, -9),
  ),
]

const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const

const store = await openTestStore()
const deliveries = [
  ...sampleHistory(40, 3).deliveries,
  ...told.map((body): Delivery => ({ body, receivedAt: now })),
]
await storeBodies(
  store.writer,
  deliveries.map(({ body }) => body),
)
const queries = createQueries(ownReader(store.reader), { streamer: ownReader(store.streamer) })
const api = asDescribed(createApi({ queries, settings, clock: () => now }))
afterAll(() => store.close())

async function getChanges(query: string): Promise<Answer> {
  let answer: Answer | undefined
  let next: string | null = `/api/changes?${query}`
  while (next !== null) {
    const response = await api.request(next.replace('/api', ''))
    expect(response.status).toBe(200)
    const page = (await response.json()) as Answer
    answer = { ...page, assignments: [...(answer?.assignments ?? []), ...page.assignments] }
    next = page.next
  }
  if (answer === undefined) throw new Error('no answer')
  return answer
}

/** Checks that the numbers of /api/changes add up, and are those of the model at both moments. */
async function check(from: string, to: string, query: string, narrowed: Partial<Scope>): Promise<Answer> {
  const answer = await getChanges(`from=${from}&to=${to}${query}`)
  expect(answer.assignments).toHaveLength(answer.total)
  for (const { metric, part, difference } of answer.parts) {
    const condition = partsOf(metric).find(({ name }) => name === part)?.holds ?? not('all')
    const sum = answer.assignments.reduce((total, { before, after }) => {
      const counts = ({ in_scope, facts }: Change['before']) =>
        in_scope && holds(condition, toBits(toFactMask(facts))) ? 1 : 0
      return total + counts(after) - counts(before)
    }, 0)
    expect({ metric, part, sum }).toEqual({ metric, part, sum: difference })
  }
  const scopeAt = (instant: string) =>
    createScope(Date.parse(instant), {
      now,
      ...narrowed,
      status: [...('status' in narrowed ? narrowed.status : [])],
    })
  const [first, last] = [computeMetrics(deliveries, scopeAt(from)), computeMetrics(deliveries, scopeAt(to))]
  expect(answer.metrics.from.overdue).toEqual(first.overdue)
  expect(answer.metrics.to.on_time_rate).toEqual(last.on_time_rate)
  // Whoever came or left is named, and nobody else.
  const idsAt = (instant: string) =>
    new Set(computeAssignments(deliveries, scopeAt(instant)).map((row) => row.assignment_id))
  const were = idsAt(from)
  const are = idsAt(to)
  const moved = answer.assignments.filter(({ before, after }) => before.in_scope !== after.in_scope)
  expect(moved.map((change) => change.assignment_id).sort()).toEqual(
    [...new Set([...were, ...are])].filter((id) => were.has(id) !== are.has(id)).sort(),
  )
  checkReasons(answer.assignments, deliveries, scopeAt(from), scopeAt(to))
  return answer
}

/** Checks that the cause of every kind is the model's. Gives each kind with each cause that was seen. */
function checkReasons(changes: Change[], sent: Delivery[], before: Scope, after: Scope): string[] {
  const model = computeCauses(sent, before, after)
  for (const { assignment_id, kinds, reasons, causes, events } of changes) {
    const own = model.get(assignment_id)
    if (own === undefined) throw new Error(`${assignment_id} is not in the model`)
    expect({ assignment_id, reasons }).toEqual({
      assignment_id,
      reasons: kinds.map((kind) => ({ kind, causes: causesOf(kind, own) })),
    })
    expect(causes).toEqual(
      changeCauses.filter((cause) => reasons.some((reason) => reason.causes.includes(cause))),
    )
    expect({ assignment_id, isSent: !causes.includes('event') || events.length > 0 }).toEqual({
      assignment_id,
      isSent: true,
    })
  }
  return changes.flatMap(({ reasons }) =>
    reasons.flatMap((reason) => reason.causes.map((cause) => `${reason.kind} ${cause}`)),
  )
}

/** The cause of the fact that a kind is about. */
function causesOf(kind: ChangeKind, { scope, existence, facts }: Causes): ChangeCause[] {
  const of = {
    assigned: existence,
    removed: existence,
    came_into_scope: scope,
    left_scope: scope,
    became_overdue: facts.get('overdue'),
    no_longer_overdue: facts.get('overdue'),
    handed_in: facts.get('submitted'),
    graded: facts.get('graded'),
    completed: facts.get('completed'),
    reopened: facts.get('completed'),
    failed: facts.get('failed'),
    // Grades and due dates come by events alone.
    regraded: 'event' as const,
    deadline_moved: 'event' as const,
  }
  if (kind !== 'other') return [of[kind] ?? 'people']
  const all = new Set(facts.values())
  return changeCauses.filter((cause) => all.has(cause))
}

const moments: [string, string, string, Partial<Scope>][] = [
  ['2026-01-20T00:00:00Z', '2026-03-15T12:00:00Z', '', {}],
  ['2026-02-10T00:00:00Z', '2026-02-10T00:00:00Z', '', {}],
  [
    '2026-03-01T00:00:00Z',
    '2026-04-20T00:00:00Z',
    '&include_leavers=true&per_page=60',
    { includeLeavers: true },
  ],
  [
    '2026-02-01T00:00:00Z',
    '2026-04-01T00:00:00Z',
    '&status=overdue&status=completed',
    { status: ['overdue', 'completed'] },
  ],
]
test.each(pick(moments, 2))(
  'from %s to %s%s the assignments add up to every difference, and the values are the model’s',
  async (from, to, query, narrowed) => {
    await check(from, to, query, narrowed)
  },
)

test.runIf(isLong)(
  'it asks how far it is complete before all rows, so that none that came meanwhile is claimed',
  async () => {
    const asked: string[] = []
    const claimed = Date.UTC(2026, 0, 20)
    const noting: Queries = {
      ...queries,
      completeThrough: async () => {
        await queries.completeThrough()
        asked.push('complete')
        return claimed
      },
      facts: async (scope) => {
        asked.push('facts')
        return queries.facts(scope)
      },
      changes: async (...of) => {
        asked.push('changes')
        return queries.changes(...of)
      },
    }
    const response = await createApi({ queries: noting, settings, clock: () => now }).request(
      '/changes?from=2026-01-25',
    )
    expect(response.status).toBe(200)
    expect(asked).toEqual(['complete', 'changes', 'facts', 'facts'])
    // Not that of the numbers, which may have been asked later than the rows.
    expect(await response.json()).toMatchObject({ complete_through: new Date(claimed).toISOString() })
  },
)

test.runIf(isLong)('under a manager they are those under him at either moment', async () => {
  const [from, to] = ['2026-02-01T00:00:00Z', '2026-04-01T00:00:00Z']
  const most = await store.rows<{ manager_id: string }>(
    `SELECT manager_id FROM rollcall.links_at(as_of = '2026-04-01 00:00:00', now = '2026-05-01 00:00:00')
     GROUP BY manager_id ORDER BY count() DESC, manager_id LIMIT 8`,
  )
  const manager = most.map(({ manager_id }) => manager_id)
  const query = manager.map((id) => `&manager=${encodeURIComponent(id)}`).join('')
  expect((await check(from, to, query, { manager })).total).toBeGreaterThan(0)
})

type Row = ReturnType<typeof computeAssignments>[number]

/** In what ways an assignment changed, by the model's rows; `everything` and `inScope` are the rows at each moment. */
function kindsOf(id: string, everything: Map<string, Row>[], inScope: Map<string, Row>[]): ChangeKind[] {
  const [was, is] = everything.map((rows) => rows.get(id))
  const [wasIn, isIn] = inScope.map((rows) => rows.has(id))
  const gained = (fact: 'overdue' | 'submitted' | 'graded' | 'completed' | 'failed') =>
    is?.[fact] === true && was?.[fact] !== true
  const isRegraded =
    was?.graded === true &&
    is?.graded === true &&
    (was.passed !== is.passed ||
      (was.calculated_grade_as_sent !== null &&
        is.calculated_grade_as_sent !== null &&
        was.calculated_grade_as_sent !== is.calculated_grade_as_sent))
  const holds: Record<ChangeKind, boolean> = {
    assigned: isIn === true && was === undefined,
    became_overdue: isIn === true && gained('overdue'),
    no_longer_overdue: isIn === true && was?.overdue === true && is?.overdue !== true,
    handed_in: isIn === true && gained('submitted'),
    graded: isIn === true && gained('graded'),
    completed: isIn === true && gained('completed'),
    failed: isIn === true && gained('failed'),
    regraded: isIn === true && isRegraded,
    reopened: isIn === true && was?.completed === true && is?.completed !== true,
    deadline_moved: isIn === true && was !== undefined && was.due_date !== is?.due_date,
    removed: wasIn === true && is === undefined,
    came_into_scope: isIn === true && wasIn !== true && was !== undefined,
    left_scope: wasIn === true && isIn !== true && is !== undefined,
    other: false,
  }
  const kinds = changeKinds.filter((kind) => holds[kind])
  return kinds.length === 0 ? ['other'] : kinds
}

test('the kinds of every change are those that the model’s rows of both moments show', async () => {
  const [from, to] = [Date.parse('2026-01-25T00:00:00Z'), Date.parse('2026-03-20T12:00:00Z')]
  const rowsAt = (asOf: number, narrowed: Partial<Scope>) =>
    new Map(
      computeAssignments(deliveries, createScope(asOf, { now, ...narrowed })).map((row) => [
        row.assignment_id,
        row,
      ]),
    )
  const everything = [from, to].map((asOf) => rowsAt(asOf, { includeLeavers: true }))
  const inScope = [from, to].map((asOf) => rowsAt(asOf, {}))
  const { assignments } = await getChanges(
    `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
  )
  const seen = new Set<ChangeKind>()
  for (const { assignment_id, kinds, before, after } of assignments) {
    expect({ assignment_id, kinds }).toEqual({
      assignment_id,
      kinds: kindsOf(assignment_id, everything, inScope),
    })
    const [was, is] = everything.map((rows) => rows.get(assignment_id))
    expect([before.due_date, after.due_date].map((at) => (at === null ? null : Date.parse(at)))).toEqual([
      was?.due_date ?? null,
      is?.due_date ?? null,
    ])
    for (const kind of kinds) seen.add(kind)
  }
  // Otherwise this proves little.
  expect(seen.size).toBeGreaterThan(9)
  const regraded = [...(inScope[1] ?? new Map<string, Row>()).keys()].filter((id) =>
    kindsOf(id, everything, inScope).includes('regraded'),
  )
  expect(
    assignments
      .filter(({ kinds }) => kinds.includes('regraded'))
      .map((row) => row.assignment_id)
      .sort(),
  ).toEqual(regraded.sort())
})

/** The newest first, those without a moment last; each page goes on after the one before. */
async function checkOrder(
  changes: readonly { changed_at: string | null }[],
  read: (after?: ChangeCursor) => Promise<ChangePage>,
): Promise<void> {
  const moments = changes.map(({ changed_at: at }) => (at === null ? 0 : Date.parse(at)))
  expect(moments).toEqual(moments.toSorted((a, b) => b - a))
  expect(new Set(moments).size).toBeGreaterThan(5)
  const paged = []
  let page = await read()
  for (;;) {
    paged.push(...page.changes)
    if (page.next === null) break
    page = await read(parseChangeCursor(page.next))
  }
  expect(paged).toEqual(changes)
}

test('counts by kind, cause, team and challenge are those of the rows', async () => {
  const [before, after] = ['2026-01-25T00:00:00Z', '2026-03-20T12:00:00Z'].map((at) =>
    createScope(Date.parse(at), { now }),
  )
  if (before === undefined || after === undefined) throw new Error('two moments')
  const all = (request: object, narrowed: Partial<Scope> = {}) =>
    queries.changes({ ...before, ...narrowed }, { ...after, ...narrowed }, { limit: 1_000, ...request })
  const counts = await queries.changeCounts(before, after)
  const { changes, total } = await all({})
  await checkOrder(changes, (after) => all({ after, limit: 20 }))
  expect(counts.total).toBe(total)
  expect(counts.kinds.map(({ kind, n }) => [kind, n])).toEqual(
    changeKinds
      .map((kind) => [kind, changes.filter(({ kinds }) => kinds.includes(kind)).length])
      .filter(([, n]) => n !== 0),
  )
  for (const [number, { kind, n, causes }] of counts.kinds.entries()) {
    const ofKind = changes.filter(({ kinds }) => kinds.includes(kind))
    const withCause = (cause: ChangeCause) =>
      ofKind.filter(({ reasons }) =>
        reasons.some((each) => each.kind === kind && each.causes.includes(cause)),
      )
    for (const [cause, count] of Object.entries(causes) as [ChangeCause, number][])
      expect([kind, cause, count]).toEqual([kind, cause, withCause(cause).length])
    // The lists behind the counts, of which each run reads some.
    if (pick(counts.kinds, 16).every((picked) => picked.kind !== kind)) continue
    const own = await all({ kinds: [kind] })
    expect([kind, own.total]).toEqual([kind, n])
    expect(own.changes.map(({ assignment_id }) => assignment_id)).toEqual(
      ofKind.map(({ assignment_id }) => assignment_id),
    )
    for (const [cause, count] of pick(Object.entries(causes), 3, number)) {
      expect([kind, cause, count]).toEqual([
        kind,
        cause,
        (await all({ kinds: [kind], causes: [cause] })).total,
      ])
    }
  }
  // The sentence about a team or challenge stands on the page that is narrowed to it.
  const overdue = counts.kinds.find(({ kind }) => kind === 'became_overdue')
  const [team, challenge] = [overdue?.by_team.find(({ id }) => id !== ''), overdue?.by_challenge[0]]
  expect(team?.n).toBeGreaterThan(0)
  expect(team?.n).toBe((await all({ kinds: ['became_overdue'] }, { team: [team?.id ?? ''] })).total)
  expect(challenge?.n).toBe(
    (await all({ kinds: ['became_overdue'] }, { challenge: [challenge?.id ?? ''] })).total,
  )
})

const briefCases: [string, string, Partial<Scope>][] = [
  ['2026-01-25T00:00:00Z', '2026-03-20T12:00:00Z', {}],
  ['2026-01-06T00:00:00Z', '2026-01-10T00:00:00Z', {}],
  ['2026-02-02T00:00:00Z', '2026-02-02T00:00:00Z', {}],
  ['2026-01-25T00:00:00Z', '2026-03-20T12:00:00Z', { includeLeavers: true, dueEnd: 'instant' }],
  [
    '2026-01-25T00:00:00Z',
    '2026-03-20T12:00:00Z',
    { dueZone: 'Pacific/Kiritimati', timeZone: 'Pacific/Pago_Pago' },
  ],
  ['2026-01-25T00:00:00Z', '2026-03-20T12:00:00Z', { status: ['overdue', 'completed'] }],
  ['2026-01-25T00:00:00Z', '2026-03-20T12:00:00Z', { team: ['-5'] }],
]

test.each(pick(briefCases, 12))(
  'the brief counts of what changed from %s to %s, %j, are those of all changes',
  async (from, to, narrowed) => {
    const [before, after] = [from, to].map((at) => createScope(Date.parse(at), { now, ...narrowed }))
    if (before === undefined || after === undefined) throw new Error('two moments')
    const brief = await queries.briefChanges(before, after)
    const { kinds } = await queries.changeCounts(before, after)
    expect(brief).toEqual(
      briefKinds.flatMap((kind) =>
        kinds.filter((each) => each.kind === kind).map(({ n, by_team }) => ({ kind, n, by_team })),
      ),
    )
    if (from < to) expect(brief.length).toBeGreaterThan(0)
  },
)

/** Any two moments from a second to months apart, and scopes whose members are other people at each. */
const betweenArb = fc.record({
  from: fc.integer({ min: monday - 10 * day, max: monday + 110 * day }),
  spanMs: fc.oneof(fc.integer({ min: 1_000, max: 3 * day }), fc.integer({ min: 0, max: 60 * day })),
  // By at most two filters, so that something is left in most.
  narrowed: fc
    .record({
      dueZone: fc.constantFrom(
        'Pacific/Kiritimati',
        'Pacific/Pago_Pago',
        'Europe/Berlin',
        'Australia/Lord_Howe',
      ),
      dueEnd: fc.constantFrom('instant', 'end_of_day'),
      dueSoonDays: fc.constantFrom(0, 1, 30, 400),
      includeLeavers: fc.boolean(),
      team: fc.constantFrom(['-1'], ['-2', '-5']),
      hasManager: fc.constant(true),
      fact: fc.constantFrom(['overdue'], ['due_soon']),
      aging: fc.constantFrom(['8-14'], ['61-90']),
    })
    .chain((all) =>
      fc
        .shuffledSubarray(Object.entries(all), { maxLength: 2 })
        .map((some) => Object.fromEntries(some) as Partial<typeof all>),
    ),
})

async function readLeaders(): Promise<string[]> {
  const leaders = await store.rows<{ manager_id: string }>(
    `SELECT manager_id FROM rollcall.links_at(as_of = '2026-04-01 00:00:00', now = '2026-05-01 00:00:00')
     GROUP BY manager_id ORDER BY count() DESC, manager_id LIMIT 3`,
  )
  return leaders.map(({ manager_id }) => manager_id)
}

function toNarrowed({ hasManager, ...others }: { hasManager?: boolean }, manager: string[]): Partial<Scope> {
  return { now, ...others, ...(hasManager === true && { manager }) }
}

test('the cause of every kind is the model’s, in any scope and between any two moments', async () => {
  const seen = new Set<string>()
  const leaders = await readLeaders()
  for (const { narrowed } of pick(fc.sample(betweenArb, { numRuns: 60, seed: 11 }), 10)) {
    const own = toNarrowed(narrowed, leaders)
    const [from, spanMs] = [monday + 20 * day, 52 * day]
    const [before, after] = [createScope(from, own), createScope(from + spanMs, own)]
    const { changes } = await queries.changes(before, after, { limit: 10_000 })
    for (const reason of checkReasons(changes, deliveries, before, after)) seen.add(reason)
  }
  // Otherwise this proves little.
  expect(seen.size).toBeGreaterThan(isLong ? 15 : 5)
})

test('says whether it was an event, time or people', async () => {
  const day1 = new Date(monday + day).toISOString()
  const day5 = new Date(monday + 5 * day).toISOString()
  const { assignments } = await getChanges(`from=${day1}&to=${day5}&team=-1`)
  const told = Object.fromEntries(assignments.map((change) => [change.assignment_id, change]))
  expect(Object.keys(told).sort()).toEqual(['told-event', 'told-people', 'told-time'])
  expect(told['told-event']).toMatchObject({
    causes: ['event'],
    events: [{ event_type: 'assignmentCompleted.challenge' }],
  })
  expect(told['told-event']?.after.facts).toContain('completed')
  expect(told['told-time']).toMatchObject({
    causes: ['time'],
    events: [],
    before: { in_scope: true },
    after: { in_scope: true },
  })
  expect(told['told-time']?.after.facts).toContain('overdue')
  expect(told['told-people']).toMatchObject({
    causes: ['people'],
    before: { in_scope: true },
    after: { in_scope: false },
  })
})

test.runIf(isLong)('an event is the cause only of what would differ without time passing', async () => {
  const [from, to] = [8, 14].map((after) => new Date(monday + after * day).toISOString())
  const read = async (query: string) => {
    const { assignments } = await getChanges(`from=${from}&to=${to}&team=-9${query}`)
    return Object.fromEntries(assignments.map(({ assignment_id, reasons }) => [assignment_id, reasons]))
  }
  const by = (...causes: ChangeCause[]) => causes
  expect(await read('')).toEqual({
    'why-time': [{ kind: 'became_overdue', causes: by('time') }],
    'why-event': [
      { kind: 'became_overdue', causes: by('event') },
      { kind: 'deadline_moved', causes: by('event') },
    ],
    'why-both': [
      { kind: 'became_overdue', causes: by('time') },
      { kind: 'deadline_moved', causes: by('event') },
    ],
    'why-new': [
      { kind: 'assigned', causes: by('event') },
      { kind: 'became_overdue', causes: by('time') },
    ],
    'why-announced': [{ kind: 'assigned', causes: by('time') }],
    'why-other': [{ kind: 'other', causes: by('event', 'time') }],
  })
  // Into a scope of overdue work, too.
  expect(await read('&fact=overdue')).toMatchObject({
    'why-time': [{ kind: 'became_overdue' }, { kind: 'came_into_scope', causes: by('time') }],
    'why-event': [{}, {}, { kind: 'came_into_scope', causes: by('event') }],
    'why-both': [{}, {}, { kind: 'came_into_scope', causes: by('time') }],
  })
})

test.each([
  ['', ['from']],
  ['from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', ['from']],
  ['from=x&to=y&z=1', ['from', 'to', 'z']],
  ['from=2026-02-02&as_of=2026-02-03', ['as_of']],
  ['from=2026-02-02&from=2026-02-03', ['from']],
])('refuses %j', async (query, parameters) => {
  const response = await api.request(`/changes?${query}`)
  expect(response.status).toBe(400)
  const { error } = (await response.json()) as { error: { problems: { parameter: string }[] } }
  expect(error.problems.map(({ parameter }) => parameter).sort()).toEqual(parameters)
})

test('an event that was delivered three times is told once, by its first delivery, before parts merge, too', async () => {
  const id = 'told-moved'
  const find = async () => {
    const { assignments } = await getChanges('from=2026-01-25T00:00:00Z&to=2026-03-20T00:00:00Z&team=-5')
    const changed = assignments.find(({ assignment_id }) => assignment_id === id)?.events
    const all = await readAssignmentEvents(ownReader(store.reader), id, now)
    return { changed, all: all.map(({ event_id, received_at }) => ({ event_id, received_at })) }
  }
  const before = await find()
  expect(before.changed).toHaveLength(1)
  await store.writer.command({ query: 'SYSTEM STOP MERGES rollcall.event_rows' })
  for (const by of [2, 1]) {
    await store.writer.command({
      query: `INSERT INTO rollcall.event_rows SELECT * REPLACE (addMinutes(received_at, ${by}) AS received_at, log_offset + 10000 * ${by} AS log_offset)
        FROM rollcall.event_rows WHERE assignment_id = '${id}' AND rollcall.event_rows.log_offset < 10000`,
    })
  }
  expect(await find()).toEqual(before)
})
