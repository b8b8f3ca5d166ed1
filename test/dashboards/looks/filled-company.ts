/**
 * The sample company of two months behind the real dashboards, with something on every page: people signed in, links, views,
 * tokens, an order of guides, deliveries that could not be used.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { openEntrance } from '../../../dashboards/access/entrance.ts'
import { toDigestOptions } from '../../../digest/open-digest.ts'
import { openDashboards } from '../../../dashboards/open-dashboards.ts'
import type { DashboardsApp } from '../../../dashboards/app.ts'
import { createLife } from '../../../sample-platform/company/life.ts'
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { createAccessChanges } from '../../../services/access/changes.ts'
import { hashPassword } from '../../../services/access/passwords.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { registerWebhook } from '../../../services/registration/register.ts'
import { openSqlEndpoint } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import { toEngine } from '../../support/store/analyst-engine.ts'
import { from, never, openOffice, to } from '../../guide-orders/office.ts'
import { openTestClient } from '../../registration/client.ts'
import { toBatch, toRecord } from '../../support/data/records.ts'
import { openTestStore } from '../../support/store/store.ts'
import { configure } from '../access/company.ts'
import { listen } from '../ui/serve.ts'
import { toDashboardSettings } from '../../../dashboards/settings.ts'
import { charts } from '../charts.ts'

const owner = 'olga.a-very-long-name-of-somebody@subsidiary.example.com'
const manager = 'mona@example.com'
const password = 'correct horse battery'
const ingestUrl = 'https://rollcall.example.com/webhooks/a-token-that-nobody-may-see-0123456789'
const notJson = Buffer.from('{"eventType":"assignmentProgress.challenge","user":{"name":"Ada"')

type Ids = { team: string; challenge: string; manager: string; person: string; assignment: string }

export type FilledCompany = {
  url: string
  app: DashboardsApp['app']
  /** The ids in addresses: of things that are there. */
  ids: Ids & { failed: string }
  guide: string
  /** Signs this browser in: afterwards its pages are those of the owner, or of a manager. */
  signIn(context: BrowserContext, as?: 'owner' | 'manager'): Promise<void>
  close(): Promise<void>
}

export async function openFilledCompany(openContext: () => Promise<BrowserContext>): Promise<FilledCompany> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rollcall-looks-'))
  const store = await openTestStore()
  const events = [...createLife({ seed: 'orders', from, people: 40 }).next(to)].map(({ body }) =>
    Buffer.from(body),
  )
  const consumer = createConsumer({ client: store.writer })
  await consumer.handle(toBatch([...events, notJson].map((body, offset) => toRecord(body, offset))))
  const office = await openOffice(store)
  const [free = '', other = ''] = office.without(2)
  await office.place({ orderId: 'looked-at', userIds: [free, other, '99999'] })
  await office.openRunner().run(never)

  const config = configure({
    DATA_DIR: dataDir,
    DASHBOARD_AUTH: 'password',
    DASHBOARD_URL: 'http://localhost:9999',
    // Nobody listens there: what could be sent is looked at only.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'rollcall@example.com',
    DIGEST_FREQUENCY: 'off',
    REMIND: 'on',
    PLATFORM_LEARNER_URL: 'https://learn.example.com/people/{user_id}',
    PLATFORM_ASSIGNMENT_URL: 'https://learn.example.com/work/{assignment_id}',
    PLATFORM_GRADING_URL: 'https://learn.example.com/grade/{assignment_id}',
  })
  const onError = (error: unknown) => console.error(error)
  // Today: the store drops rows that have ended long ago.
  const entrance = openEntrance({
    config,
    reader: store.reader,
    writer: store.writer,
    onError,
    clock: Date.now,
  })
  const { access } = entrance
  const limits = {
    maxExecutionSeconds: 30,
    maxMemoryBytes: 2 ** 29,
    maxResultRows: 100_000,
    maxResultBytes: 2 ** 26,
  }
  const analyst = await store.openAnalyst(limits)
  const client = openTestClient(office.platform.baseUrl, 'platform-token')
  const dashboards = await openDashboards({
    charts,
    client: store.reader,
    streamer: store.streamer,
    settings: toDashboardSettings(config),
    entrance,
    digest: toDigestOptions(config, store),
    ingestUrl: () => ingestUrl,
    refusals: () => [],
    register: (mode, url) => registerWebhook({ client, url, mode }),
    orders: office.orders,
    sql: openSqlEndpoint({ engine: toEngine(analyst), people: true }),
    isReady: () => true,
    onError,
    clock: () => to,
  })
  const server = await listen(dashboards)
  const changes = createAccessChanges(access)
  const by = { by: owner, address: '192.0.2.7' }
  const hashed = await hashPassword(password)
  const ids = findIds(events)
  await changes.setPerson({ login: owner, role: 'owner', names: false, userId: '', password: hashed, ...by })
  await changes.setPerson({
    login: manager,
    role: 'manager',
    names: false,
    userId: ids.manager,
    password: hashed,
    ...by,
  })
  await changes.setPerson({ login: 'anna@example.com', role: 'analyst', names: true, userId: '', ...by })
  const token = { role: 'analyst', names: false, userId: '', days: 90, ...by } as const
  await entrance.targets.set({ completion_rate: '80', on_time_rate: '90', grading_turnaround: '3' }, by)
  const noted = new Date(to - 10 * 86_400_000).toISOString().slice(0, 10)
  for (const text of ['New price training for everybody in the company', 'Autumn holidays'])
    await entrance.notes.add({ day: noted, team: '', text }, by)
  await changes.createToken({ name: 'nightly report of the whole company', ...token })

  async function signIn(context: BrowserContext, as: 'owner' | 'manager' = 'owner'): Promise<void> {
    const page = await context.newPage()
    await page.goto(`${server.url}/sign-in`)
    await page.getByLabel('Email').fill(as === 'owner' ? owner : manager)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${server.url}/`)
    await page.close()
  }

  async function fill(page: Page): Promise<void> {
    for (const path of ['/overdue?range=90d', '/?range=90d']) {
      await page.goto(`${server.url}${path}`)
      await page.locator('#menu-save > summary').click()
      await page.locator('#menu-save input[name=name]').fill(`Late people, ${path}`)
      await page.locator('#menu-save button').click()
      await page.waitForURL(`${server.url}${path}`)
    }
  }

  const context = await openContext()
  await signIn(context)
  await fill(await context.newPage())
  await context.close()
  return {
    url: server.url,
    app: dashboards.app,
    ids: { ...ids, failed: toEventId(notJson) },
    guide: office.guide.id,
    signIn,
    async close() {
      await server.stop()
      await dashboards.close()
      await office.close()
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type Sent = {
  user: { id: number; groups?: { id: string }[]; managers?: { id: number }[] }
  challengeAssignment: { id: string; challengeId: string }
}

/** The ids of an assignment whose person has a team and a manager. */
function findIds(events: readonly Buffer[]): Ids {
  for (const event of events) {
    const { user, challengeAssignment: assignment } = JSON.parse(event.toString()) as Sent
    const [team, manager] = [user.groups?.[0]?.id, user.managers?.[0]?.id]
    if (team === undefined || manager === undefined) continue
    const { id, challengeId } = assignment
    return { team, challenge: challengeId, manager: String(manager), person: String(user.id), assignment: id }
  }
  throw new Error('nobody in the company has a team and a manager')
}
