/** A small company behind the real dashboards, with a way to sign in: the strangers of each manager are known. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DashboardsApp } from '../../../dashboards/app.ts'
import { openEntrance, type Entrance } from '../../../dashboards/access/entrance.ts'
import { toDigestOptions } from '../../../digest/open-digest.ts'
import { openDashboards } from '../../../dashboards/open-dashboards.ts'
import type { AccessChanges } from '../../../services/access/changes.ts'
import type { Access } from '../../../services/access/access.ts'
import { costs, hashPassword } from '../../../services/access/passwords.ts'
import type { Role } from '../../../services/config/values/roles.ts'
import { parseConfig, type Config } from '../../../services/config/config.ts'
import { createGuideOrders } from '../../../services/guide-orders/create-guide-orders.ts'
import { openSqlEndpoint } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import { toEngine } from '../../support/store/analyst-engine.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { toContents } from '../../support/data/store-bodies.ts'
import { openTestStore, type StoreContents, type TestStore } from '../../support/store/store.ts'
import { toDashboardSettings } from '../../../dashboards/settings.ts'
import { charts } from '../charts.ts'

export const now = monday + 40 * day
export const password = 'correct horse battery'

type Person = { id: string; name: string; email: string }

/** Leads 102, who leads 103. A manager that she does not know leads 103, too. */
export const manager: Person = { id: '101', name: 'Mona Boss', email: 'mona@example.com' }
export const reports: Person[] = [
  { id: '102', name: 'Rae Own', email: 'rae@example.com' },
  { id: '103', name: 'Ron Own', email: 'ron@example.com' },
]
/** Nobody of these reports to 101; the first is alone in team and challenge. */
export const strangers: Person[] = [
  { id: 'x-201', name: 'Zoltan Foreigner', email: 'zoltan@elsewhere.example' },
  { id: 'x-202', name: 'Zelda Foreigner', email: 'zelda@elsewhere.example' },
  { id: 'x-203', name: 'Zeno Foreigner', email: 'zeno@elsewhere.example' },
  { id: 'x-204', name: 'Zara Foreigner', email: 'zara@elsewhere.example' },
]
export const ownTeam = { id: 'team-own', name: 'Own Team' }
export const foreignTeam = { id: 'team-foreign', name: 'Hidden Unit' }
const toCountry = (value: string) => ({ customAttributes: [{ apiName: 'country', value }] })
/** The country of the manager's people; the next one is of one stranger alone. */
export const ownCountry = 'Ownland'
export const foreignCountry = 'x-Farland'
export const foreignChallenge = { id: 'challenge-foreign', title: 'Improvement plan of Zoltan' }

export function toBodies(): Uint8Array[] {
  const created = (person: Person, more: Record<string, unknown>) =>
    toBody('Created', `assignment-${person.id}`, monday, {}, { ...person, ...more })
  const [zoltan, ...others] = strangers as [Person, ...Person[]]
  const own = { groups: [ownTeam], ...toCountry(ownCountry) }
  const foreign = { groups: [foreignTeam], ...toCountry(foreignCountry) }
  const rename = (body: Uint8Array) =>
    Buffer.from(
      Buffer.from(body)
        .toString()
        .replaceAll('"c1"', `"${foreignChallenge.id}"`)
        .replace('First call', foreignChallenge.title),
    )
  const submitted = { isSubmitted: true }
  return [
    created(manager, { managers: [], ...own }),
    created(reports[0] as Person, { managers: [{ id: manager.id }], ...own }),
    created(reports[1] as Person, { managers: [{ id: '102' }, { id: 'x-202' }], ...own }),
    rename(created(zoltan, foreign)),
    ...others.map((person) => created(person, { managers: [{ id: zoltan.id }] })),
    rename(
      toBody('Progress', `assignment-${zoltan.id}`, monday + 3 * day, submitted, { ...zoltan, ...foreign }),
    ),
  ]
}

export type Asked = {
  cookie?: string
  /** Of a form. Default: a page is asked for. */
  fields?: Record<string, string>
  headers?: Record<string, string>
  /** The address of the socket. */
  from?: string
  /** Default: the first process. */
  app?: DashboardsApp['app']
}

export type Company = {
  store: TestStore
  app: DashboardsApp['app']
  entrance: Entrance
  access: Access
  changes: AccessChanges
  ask(path: string, asked?: Asked): Promise<Response>
  /** A header that acts as this role; the manager is `manager`. */
  as(role: Role, options?: { names?: boolean }): Promise<Record<string, string>>
  addPassword(login: string, password: string, role: Role): Promise<void>
  /** Signs in with `password`. Gives the cookie of the session. */
  signIn(login: string): Promise<string>
  /**
   * Another dashboards process over the same store, with the same secret, perhaps other settings, and nothing else in common. It holds for
   * seconds what it has read: who shall be known to it is made before.
   */
  openAnother(env?: Record<string, string>): Promise<DashboardsApp['app']>
  close(): Promise<void>
}

export type CompanyOptions = {
  env?: Record<string, string>
  /** Epoch ms. Default: `now`, standing still. */
  clock?: () => number
  /** Raw deliveries. Default: those of the people above. */
  bodies?: readonly Uint8Array[]
  /** What the store holds. Default: the deliveries. */
  contents?: StoreContents
}

/** What a password costs is the subject of test/access/passwords.test.ts: here it is a thousandth, until the company is closed. */
const costly = costs.N

export async function openCompany({
  env = {},
  clock = () => now,
  bodies = toBodies(),
  contents = toContents(bodies, (env['USER_ATTRIBUTES'] ?? 'country').split(',')),
}: CompanyOptions = {}): Promise<Company> {
  costs.N = 64
  const dataDir = await mkdtemp(join(tmpdir(), 'rollcall-access-'))
  const store = await openTestStore({ contents })
  const onError = () => {}
  const limits = {
    maxExecutionSeconds: 30,
    maxMemoryBytes: 2 ** 29,
    maxResultRows: 100_000,
    maxResultBytes: 2 ** 26,
  }
  const client = await store.openAnalyst(limits)
  const opened: DashboardsApp[] = []
  async function openProcess(more: Record<string, string> = {}) {
    const config = configure({
      DATA_DIR: dataDir,
      DASHBOARD_AUTH: 'password',
      USER_ATTRIBUTES: 'country',
      ...env,
      ...more,
    })
    const entrance = openEntrance({ config, reader: store.reader, writer: store.writer, onError, clock })
    const dashboards = await openDashboards({
      charts,
      client: store.reader,
      streamer: store.streamer,
      settings: toDashboardSettings(config),
      entrance,
      digest: toDigestOptions(config, store, clock),
      ingestUrl: () => 'http://127.0.0.1:1/webhooks/secret-ingest-token',
      refusals: () => [],
      register: () => Promise.reject(new Error('no platform in this test')),
      orders: createGuideOrders({ client: store.writer }),
      sql: openSqlEndpoint({ engine: toEngine(client), people: true }),
      sqlWithoutNames: openSqlEndpoint({ engine: toEngine(client), people: false }),
      isReady: () => true,
      onError,
      clock,
    })
    opened.push(dashboards)
    return { entrance, app: dashboards.app }
  }
  const { entrance, app } = await openProcess()
  const { access, changes } = entrance
  const by = { by: 'test', address: '' }
  async function ask(path: string, { cookie, fields, headers, from, app: of = app }: Asked = {}) {
    const init = {
      ...(fields !== undefined && { method: 'POST', body: new URLSearchParams(fields) }),
      headers: { ...(cookie !== undefined && { cookie }), ...headers },
    }
    return of.request(path, init, from === undefined ? {} : { incoming: { socket: { remoteAddress: from } } })
  }
  return {
    store,
    app,
    ask,
    entrance,
    access,
    changes,
    async as(role, { names = false } = {}) {
      const userId = role === 'manager' ? manager.id : ''
      const made = await changes.createToken({ name: `as ${role}`, role, names, userId, days: 1, ...by })
      if (!made.ok) throw new Error(made.problem.code)
      return { authorization: `Bearer ${made.value.token}` }
    },
    async addPassword(login, password, role) {
      const set = await changes.setPerson({
        login,
        role,
        names: false,
        userId: '',
        password: await hashPassword(password),
        ...by,
      })
      if (!set.ok) throw new Error(set.problem.code)
    },
    async signIn(login) {
      const response = await ask('/sign-in', { fields: { login, password, back: '/' } })
      if (response.status !== 303) throw new Error(`Signing in as ${login} was answered ${response.status}`)
      return response.headers.get('set-cookie')?.split(';')[0] ?? ''
    },
    openAnother: async (more) => (await openProcess(more)).app,
    async close() {
      for (const dashboards of opened) await dashboards.close()
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
      costs.N = costly
    },
  }
}

export function configure(env: Record<string, string>): Config {
  const parsed = parseConfig(env)
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}

/** Somebody who has signed in to the company by a password. */
export type Visit = {
  cookie: string
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  read(path: string): Promise<string>
}

export async function signInAs(company: Company, login: string, role: Role): Promise<Visit> {
  await company.addPassword(login, password, role)
  const cookie = await company.signIn(login)
  return {
    cookie,
    post: (path, fields, headers = {}) => company.ask(path, { cookie, fields, headers }),
    read: async (path) => (await company.ask(path, { cookie })).text(),
  }
}
