import { type DashboardsApp, createDashboardsApp } from '../../../dashboards/app.ts'
import type { DashboardsDeps } from '../../../dashboards/dashboards-deps.ts'
import type { Queries } from '../../../reporting/queries/queries.ts'
import type { GuidePart, GuideRowPage } from '../../../reporting/statements/guides.ts'
import type { GuidesPageAnswer } from '../../../reporting/queries/guides.ts'
import { toGuideMetrics, type GuideFacts } from '../../../schemas/metrics/guide-metrics.ts'
import type { Found } from '../../../reporting/statements/search.ts'
import type { SetupData } from '../../../reporting/queries/setup.ts'
import { changesFixture, noChanges } from './changes-fixture.ts'
import { objectsFixture } from './objects-fixture.ts'
import {
  frameFixture,
  learnersFixture,
  noRows,
  personFixture,
  rowsFixture,
  timelineEvents,
} from './rows-fixture.ts'
import { lateFixture } from './late-fixture.ts'
import { type FixtureOptions, fixtureNow, overviewFixture } from './fixture.ts'
import { arrivalFixture, dictionaryFixture, sqlFixture } from './health-fixture.ts'
import { listen as listenOn } from '../../../services/runtime/http/listen.ts'
import { charts } from '../charts.ts'

export const settings = {
  timeZone: 'Europe/Berlin',
  dueZone: 'Europe/Berlin',
  dueEnd: 'end_of_day',
  freshness: { amberAfterMs: 15 * 60_000, redAfterMs: 60 * 60_000 },
  version: '1.0.0',
} as const

export const setupFixture: SetupData = {
  ingest_url: 'http://127.0.0.1:8080/webhooks/Zm9vYmFyYmF6cXV4cXV1eGNvcmdl',
  deliveries: [
    {
      received_at: new Date(fixtureNow - 8_000).toISOString(),
      source: 'default',
      event_type: 'rollcall.test',
      event_id: 'd41d8cd98f00b204e9800998ecf8427e',
      event_time: null,
      person: null,
      challenge: null,
      outcome: 'stored',
      reason: null,
    },
    {
      received_at: new Date(fixtureNow - 95_000).toISOString(),
      source: 'default',
      event_type: null,
      event_id: 'd41d8cd98f00b204e9800998ecf8427e',
      event_time: null,
      person: null,
      challenge: null,
      outcome: 'failed',
      reason: 'The body is not JSON: unexpected end at byte 311.',
    },
    {
      received_at: new Date(fixtureNow - 240_000).toISOString(),
      source: 'default',
      event_type: 'assignmentProgress.challenge',
      event_id: 'd41d8cd98f00b204e9800998ecf8427e',
      event_time: new Date(fixtureNow - 250_000).toISOString(),
      person: 'Ada Moreno',
      challenge: 'First call',
      outcome: 'stored',
      reason: null,
    },
    {
      received_at: new Date(fixtureNow - 250_000).toISOString(),
      source: 'default',
      event_type: 'assignmentCreated.challenge',
      event_id: 'd41d8cd98f00b204e9800998ecf8427e',
      event_time: new Date(fixtureNow - 250_000).toISOString(),
      person: 'Ada Moreno',
      challenge: 'First call',
      outcome: 'pending',
      reason: null,
    },
  ],
  totals: { stored: 20_412, failed: 3 },
  has: { challenge_events: true, test_events: true },
  pulls: [
    {
      job: 'guides',
      state: 'succeeded',
      last_success_at: new Date(fixtureNow - 25 * 60_000).toISOString(),
      items: 12,
      total: null,
      skipped: 1,
      error: null,
      note: null,
    },
    {
      job: 'users',
      state: 'failed',
      last_success_at: null,
      items: 400,
      total: null,
      skipped: 0,
      error:
        'The platform refuses the token (401). A token belongs to an admin user and dies with that user.',
      note: null,
    },
  ],
  sample: false,
}

export const emptySetup: SetupData = {
  ...setupFixture,
  deliveries: [],
  totals: { stored: 0, failed: 0 },
  has: { challenge_events: false, test_events: false },
}

const facts = (values: Partial<GuideFacts>): GuideFacts => ({
  guideId: 'g1',
  teams: [],
  completed: false,
  dueKnown: true,
  completedAtKnown: false,
  completedInTime: false,
  late: false,
  unseen: false,
  count: 1,
  ...values,
})
const done = facts({ completed: true, completedAtKnown: true, completedInTime: true, count: 1_204 })
const late = facts({ late: true, count: 37 })

export const guidesFixture: GuidesPageAnswer = {
  as_of: new Date(fixtureNow).toISOString(),
  due_zone: 'Europe/Berlin',
  due_end: 'end_of_day',
  sample: true,
  pulled: { guides: null, assignments: new Date(fixtureNow - 3_600_000).toISOString(), changes: null },
  metrics: toGuideMetrics([done, late, facts({ count: 12 })]),
  unseen: 3,
  options: {
    guides: [
      { id: 'g1', name: 'Handling objections with grace and a very long title' },
      { id: 'g2', name: '' },
    ],
    teams: [{ id: 'north', name: 'Sales North' }],
    people: [],
    attributes: [],
  },
  by_guide: [
    {
      guide_id: 'g1',
      guide: 'Handling objections with grace and a very long title',
      ...toGuideMetrics([done, late]),
    },
    { guide_id: 'g2', guide: null, ...toGuideMetrics([facts({ count: 12 })]) },
  ],
  by_team: [
    { team_id: 'north', team: 'Sales North', ...toGuideMetrics([done, late]) },
    { team_id: null, team: null, ...toGuideMetrics([facts({ count: 12 })]) },
  ],
}

const managersFixture = [
  { id: '70', name: 'Ada Moreno' },
  { id: '71', name: 'Zoë Wolfeschlegelsteinhausenbergerdorff' },
]

function guideRowsFixture(part: GuidePart, offset: number, limit: number): GuideRowPage {
  const all = Array.from({ length: part === 'overdue' ? 37 : 1_253 }, (_, n) => ({
    assignment_id: `ga-${n}`,
    guide_id: 'g1',
    guide: 'Handling objections with grace and a very long title',
    user_id: n % 5 === 4 ? null : String(n),
    user_name: n % 5 === 3 ? null : 'Zoë Wolfeschlegelsteinhausenbergerdorff',
    completed: part !== 'overdue',
    overdue: part === 'overdue',
    due_date: n % 7 === 0 ? null : new Date(fixtureNow - n * 3_600_000).toISOString(),
    completed_at:
      part === 'overdue' || n % 3 === 0 ? null : new Date(fixtureNow - n * 1_800_000).toISOString(),
  }))
  return { total: all.length, rows: all.slice(offset, offset + limit) }
}

/** Teams and challenges of the fixture, and one person. */
function findInFixture(text: string): Found[] {
  const { options } = overviewFixture()
  const all: Found[] = [
    ...options.teams.map((team) => ({ kind: 'team' as const, ...team })),
    ...options.challenges.map((challenge) => ({ kind: 'challenge' as const, ...challenge })),
    { kind: 'person', id: '7', name: 'Ada Moreno' },
  ]
  return all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
}

/** States that a page can be in, by name. */
export const states: Record<string, FixtureOptions> = {
  plain: {},
  dots: { grades: 7, compare: false, sample: false },
  nothing: { nothing: true },
  behind: { behindMs: 95 * 60_000, lastEventAgoMs: 96 * 60_000 },
  quiet: { lastEventAgoMs: 3 * 3_600_000 },
  many: { extraChallenges: 500 },
  empty: { lastEventAgoMs: null },
}

/** The real app over fixture data; `state` picks the fixture, `error` fails as a busy store does. */
export async function startPreview(
  options: { state?: string; deps?: Partial<DashboardsDeps>; queries?: Partial<Queries> } = {},
): Promise<DashboardsApp> {
  return createDashboardsApp({
    charts,
    queries: { ...queriesFixture(options.state), ...options.queries } as Queries,
    setup: async () => (options.state === 'empty' ? emptySetup : setupFixture),
    sendTestEvent: async () => ({ outcome: 'accepted', receipt: 'd41d8cd98f00b204e9800998ecf8427e' }),
    arrival: arrivalFixture({ isBroken: options.state === 'behind' }),
    dictionary: () => Promise.resolve(dictionaryFixture),
    sql: sqlFixture(),
    settings,
    clock: () => fixtureNow,
    isReady: () => true,
    onError: () => undefined,
    seenIds: async () => null,
    ...options.deps,
  })
}

/** The questions of the pages; the API alone asks more. */
function queriesFixture(state?: string) {
  const fixtureOptions = states[state ?? 'plain']
  return {
    async overview(_scope, previous) {
      const fixture = overviewFixture(fixtureOptions)
      return previous === null ? { ...fixture, previous: null } : fixture
    },
    guides: async () => guidesFixture,
    guideRows: async (_scope, { part, offset, limit }) => guideRowsFixture(part, offset, limit),
    leaders: async () => ({ listed: managersFixture, of: 3 }),
    assignments: async (_scope, { limit }) =>
      state === 'nothing' ? noRows : { ...rowsFixture, rows: rowsFixture.rows.slice(0, limit) },
    assignmentEvents: async () => timelineEvents,
    learnerCounts: async () => learnersFixture.rows,
    learners: async () => learnersFixture,
    person: async (userId) => ({ ...personFixture, user_id: userId }),
    frame: async () => frameFixture(fixtureOptions),
    ...lateFixture(fixtureOptions ?? {}),
    ...objectsFixture(fixtureOptions),
    ...(state === 'nothing' ? noChanges : changesFixture),
    search: async (text) => findInFixture(text),
    isSample: async () => true,
    oddZones: async () => [],
    lastStoredAt: async () => '1',
  } satisfies Partial<Queries>
}

export type Running = { url: string; stop(): Promise<void> }

export async function listen({ app, close }: DashboardsApp): Promise<Running> {
  const server = await listenOn({ handler: app, host: '127.0.0.1', port: 0, portVariable: 'the port' })
  return {
    url: server.url,
    async stop() {
      await server.close(0)
      await close()
    },
  }
}
