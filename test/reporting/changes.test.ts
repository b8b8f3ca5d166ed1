/** Changes between two moments: the changes of single assignments add up to the difference of every number. */
import { afterAll, expect, test } from 'vitest'
import { createApi } from '../../dashboards/api/app.ts'
import { parseChangeCursor, type Change } from '../../reporting/queries/changes.ts'
import { readAssignmentEvents } from '../../reporting/queries/assignment-events.ts'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { holds, not, toBits } from '../../schemas/metrics/facts.ts'
import { partsOf } from '../../schemas/metrics/parts.ts'
import { asDescribed } from '../dashboards/api/described.ts'
import { sampleHistory } from '../model/arbitrary/apart.ts'
import { computeCauses, type Causes } from '../model/changes.ts'
import { computeAssignments, computeMetrics } from '../model/model.ts'
import { createScope, type Delivery, type Scope } from '../model/scope.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { pick } from '../support/tiers.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import {
  changeCauses,
  changeKinds,
  type ChangeCause,
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

type Told = [
  word: 'Created' | 'Progress' | 'Completed' | 'Deleted',
  id: string,
  day: number,
  fields: Record<string, unknown>,
  person: { id: number; team: number; isDeleted?: boolean },
]
const gradedAs = (calculatedGrade: number) => ({
  isSubmitted: true,
  isFullyGraded: true,
  calculatedGrade,
  passed: calculatedGrade >= 70,
})
const at = (days: number) => monday + days * day
const viewed = (dueDate: number) => ({ firstViewedAt: at(9), lastViewedAt: at(9), dueDate })
const [five, six, nine] = [-5, -6, -9].map((id) => ({ id, team: id === -6 ? -5 : id }))
const told = (
  [
    // One of every kind between 25 January and 20 March.
    ['Created', 'told-regraded', 0, gradedAs(50), five],
    ['Completed', 'told-regraded', 40, gradedAs(80), five],
    ['Created', 'told-reopened', 0, { ...gradedAs(50), isCompleted: true, completedAt: monday }, five],
    ['Progress', 'told-reopened', 40, { dueDate: null }, five],
    ['Created', 'told-moved', 0, {}, six],
    ['Progress', 'told-moved', 40, { dueDate: at(300) }, six],
    ['Created', 'told-late', 0, { dueDate: at(50) }, six],
    ['Created', 'told-failed', 0, { dueDate: null }, six],
    ['Completed', 'told-failed', 40, { dueDate: null, status: 'failed' }, six],
    ['Created', 'told-removed', 0, {}, six],
    ['Deleted', 'told-removed', 40, {}, six],
    ['Created', 'told-leaver', 0, { dueDate: null }, { id: -7, team: -5 }],
    ['Created', 'told-leaves', 40, { createdAt: at(40) }, { id: -7, team: -5, isDeleted: true }],
    ['Created', 'told-returner', 0, { dueDate: null }, { id: -8, team: -5, isDeleted: true }],
    ['Created', 'told-returns', 40, { createdAt: at(40) }, { id: -8, team: -5 }],
    // Another assignment of the same person, in another challenge, brings the news of another team.
    ['Created', 'why-people', 0, { dueDate: null }, { id: -3, team: -9 }],
    ['Created', 'why-news', 9, { challengeId: 'c2', createdAt: at(9) }, { id: -3, team: -2 }],
    // Late by time alone, whatever is sent meanwhile; and late by an event, which brings a due date that was past before.
    ['Created', 'why-time', 0, { dueDate: at(10) }, nine],
    ['Progress', 'why-time', 9, viewed(at(10)), nine],
    ['Progress', 'why-time', 12, viewed(at(10)), nine],
    ['Created', 'why-event', 0, { dueDate: null }, nine],
    ['Progress', 'why-event', 9, { dueDate: at(2) }, nine],
    // Moved by an event to a day that has come since.
    ['Created', 'why-both', 0, { dueDate: at(90) }, nine],
    ['Progress', 'why-both', 9, { dueDate: at(10) }, nine],
    // New, and late since.
    ['Created', 'why-new', 9, { createdAt: at(9), dueDate: at(11) }, nine],
    // Known before it was created.
    ['Created', 'why-announced', 0, { createdAt: at(9), dueDate: null }, nine],
    // Due soon by time, viewed by an event.
    ['Created', 'why-other', 0, { dueDate: at(17) }, nine],
    ['Progress', 'why-other', 9, viewed(at(17)), nine],
  ] as Told[]
).map(([word, id, days, fields, { team, ...person }]) =>
  toBody(word, id, at(days), fields, { ...person, groups: [{ id: team, name: `Team ${team}` }] }),
)

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
const queries = createQueries(ownReader(store.reader))
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
        in_scope && holds(condition, toBits(facts)) ? 1 : 0
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
  ['2026-02-01T00:00:00Z', '2026-04-01T00:00:00Z', '&status=overdue', { status: ['overdue'] }],
]
test.each(pick(moments, 2))(
  'from %s to %s%s the assignments add up to every difference, and the values are those of the model',
  async (from, to, query, narrowed) => void (await check(from, to, query, narrowed)),
)

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

test('counts by kind, cause, team and challenge are those of the rows, which are newest first on every page', async () => {
  const [before, after] = ['2026-01-25T00:00:00Z', '2026-03-20T12:00:00Z'].map((moment) =>
    createScope(Date.parse(moment), { now }),
  ) as [Scope, Scope]
  const all = (request: object, narrowed: Partial<Scope> = {}) =>
    queries.changes({ ...before, ...narrowed }, { ...after, ...narrowed }, { limit: 1_000, ...request })
  const counts = await queries.changeCounts(before, after)
  const { changes, total } = await all({})
  const instants = changes.map(({ changed_at }) => (changed_at === null ? 0 : Date.parse(changed_at)))
  expect(instants).toEqual(instants.toSorted((a, b) => b - a))
  const paged: Change[] = []
  for (let next: string | null = ''; next !== null;) {
    const page = await all({ after: parseChangeCursor(next), limit: 20 })
    paged.push(...page.changes)
    next = page.next
  }
  expect(paged).toEqual(changes)
  expect(counts.total).toBe(total)
  expect(counts.kinds.map(({ kind, n }) => [kind, n])).toEqual(
    changeKinds
      .map((kind) => [kind, changes.filter(({ kinds }) => kinds.includes(kind)).length])
      .filter(([, n]) => n !== 0),
  )
  for (const { kind, causes } of counts.kinds) {
    const idsBy = (cause: ChangeCause) =>
      changes
        .filter(({ reasons }) => reasons.some((each) => each.kind === kind && each.causes.includes(cause)))
        .map(({ assignment_id }) => assignment_id)
    for (const cause of changeCauses) expect([kind, causes[cause]]).toEqual([kind, idsBy(cause).length])
    const own = await all({ kinds: [kind], causes: ['event'] })
    expect([kind, own.changes.map(({ assignment_id }) => assignment_id)]).toEqual([kind, idsBy('event')])
  }
  const overdue = counts.kinds.find(({ kind }) => kind === 'became_overdue')!
  const [team, challenge] = [overdue.by_team.find(({ id }) => id !== '')!, overdue.by_challenge[0]!]
  const count = async (narrowed: Partial<Scope>) => (await all({ kinds: ['became_overdue'] }, narrowed)).total
  expect(await count({ team: [team.id] })).toBe(team.n)
  expect(await count({ challenge: [challenge.id] })).toBe(challenge.n)
})

const narrowings: Partial<Scope>[] = [
  { dueZone: 'Pacific/Kiritimati', fact: ['overdue'] },
  { dueZone: 'Pacific/Pago_Pago', dueEnd: 'instant', aging: ['8-14'] },
  { team: ['-9', '-5'] },
  { includeLeavers: true, dueSoonDays: 30 },
  { dueZone: 'Australia/Lord_Howe', aging: ['61-90'] },
]

test('the cause of every kind is the one of the model, in any scope', async () => {
  const seen = new Set<string>()
  const leaders = await store.rows<{ manager_id: string }>(
    `SELECT manager_id FROM rollcall.links_at(as_of = '2026-04-01 00:00:00', now = '2026-05-01 00:00:00')
     GROUP BY manager_id ORDER BY count() DESC, manager_id LIMIT 8`,
  )
  const manager = leaders.map(({ manager_id }) => manager_id)
  for (const narrowed of [...narrowings, { manager }]) {
    const [before, after] = [20, 72].map((days) => createScope(at(days), { now, ...narrowed })) as [
      Scope,
      Scope,
    ]
    const { changes } = await queries.changes(before, after, { limit: 10_000 })
    expect(changes.length).toBeGreaterThan(0)
    for (const reason of checkReasons(changes, deliveries, before, after)) seen.add(reason)
  }
  // Otherwise this proves little.
  expect(seen.size).toBeGreaterThan(14)
})

test('an event is the cause only of what would differ without time passing', async () => {
  const [from, to] = [8, 14].map((days) => new Date(at(days)).toISOString())
  const read = async (query: string) => {
    const { assignments } = await getChanges(`from=${from}&to=${to}&team=-9${query}`)
    return Object.fromEntries(assignments.map(({ assignment_id, reasons }) => [assignment_id, reasons]))
  }
  const by = (...causes: ChangeCause[]) => causes
  expect(await read('')).toEqual({
    'why-people': [{ kind: 'left_scope', causes: by('people') }],
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

test('claims no more than was complete before its rows were read', async () => {
  const claimed = Date.UTC(2026, 0, 20)
  let isRead = false
  const noting: Queries = {
    ...queries,
    completeThrough: async () => (isRead ? now : claimed),
    changes: (...of) => ((isRead = true), queries.changes(...of)),
    facts: (...of) => ((isRead = true), queries.facts(...of)),
  }
  const response = await createApi({ queries: noting, settings, clock: () => now }).request(
    '/changes?from=2026-01-25',
  )
  expect(await response.json()).toMatchObject({ complete_through: new Date(claimed).toISOString() })
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
