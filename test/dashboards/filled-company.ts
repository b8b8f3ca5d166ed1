/**
 * The sample company of two months behind the real dashboards, with something on every page: people who sign in, tokens, views, notes,
 * targets, guides that were pulled, an order that was carried out and one that waits, a failed event. One file of a run makes it.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { BrowserContext } from 'playwright-core'
import { openEntrance } from '../../dashboards/access/entrance.ts'
import { Life } from '../../sample-platform/company/life.ts'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { storeSettings } from '../../services/clickhouse/stored-settings.ts'
import { createAccessChanges } from '../../services/access/changes.ts'
import { costs, hashPassword } from '../../services/access/passwords.ts'
import type { Role } from '../../services/config/values/roles.ts'
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import { never, openOffice } from '../guide-orders/office.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import type { StoreContents, TestStore } from '../support/store/store.ts'
import { configure, openCompany, password, type Company } from './access/company.ts'
import { listen } from './listen.ts'

/** Friday 20 November 2026, 13:05 UTC: the moment of the company. */
export const filledNow = Date.UTC(2026, 10, 20, 13, 5)
const from = Date.UTC(2026, 8, 21, 6)

export const filledLogins = {
  owner: 'olga.a-very-long-name-of-somebody@subsidiary.example.com',
  analyst: 'anna@example.com',
  manager: 'mona@example.com',
} as const satisfies Record<Role, string>

const env = {
  DASHBOARD_AUTH: 'password',
  DASHBOARD_URL: 'http://localhost:9999',
  // Nothing listens there: these pages send no mail.
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'rollcall@example.com',
  DIGEST_FREQUENCY: 'off',
  REMIND: 'on',
  PLATFORM_LEARNER_URL: 'https://learn.example.com/people/{user_id}',
  PLATFORM_ASSIGNMENT_URL: 'https://learn.example.com/work/{assignment_id}',
  PLATFORM_GRADING_URL: 'https://learn.example.com/grade/{assignment_id}',
}

/** The raw bodies of its events. */
export const filledEvents = (): Buffer[] =>
  [...new Life({ seed: 'orders', from, people: 40 }).next(filledNow)].map(({ body }) => Buffer.from(body))
const notJson = Buffer.from('{"eventType":"assignmentProgress.challenge","user":{"name":"Ada"')

export const filledContents: StoreContents = { name: 'filled-company', fill }

async function fill(writer: ClickHouseClient): Promise<void> {
  const bodies = filledEvents()
  await storeBodies(writer, [...bodies, notJson])
  await storeSettings(writer, { sample: 'true' })
  const office = await openOffice({ writer } as TestStore, { from, to: filledNow })
  const [free = '', other = ''] = office.without(2)
  await office.place({ orderId: 'done', userIds: [free, other, '99999'] })
  await office.openRunner().run(never)
  await office.place({ orderId: 'waiting', userIds: [free] })
  await office.close()
  await fillAccess(writer, findIds(bodies).manager)
}

async function fillAccess(writer: ClickHouseClient, managerId: string): Promise<void> {
  const config = configure({ ...env, DASHBOARD_SESSION_SECRET: 'x'.repeat(64) })
  const onError = (error: unknown) => console.error(error)
  const entrance = openEntrance({ config, reader: writer, writer, onError, clock: () => filledNow })
  const changes = createAccessChanges(entrance.access)
  const by = { by: filledLogins.owner, address: '192.0.2.7' }
  const costly = costs.N
  costs.N = 64
  const hashed = await hashPassword(password)
  costs.N = costly
  for (const [role, login] of Object.entries(filledLogins) as [Role, string][]) {
    const userId = role === 'manager' ? managerId : ''
    await changes.setPerson({ login, role, names: role !== 'manager', userId, password: hashed, ...by })
  }
  await entrance.targets.set({ completion_rate: '80', on_time_rate: '90', grading_turnaround: '3' }, by)
  const day = new Date(filledNow - 10 * 86_400_000).toISOString().slice(0, 10)
  for (const text of ['New price training for everyone in the company', 'Autumn holidays'])
    await entrance.notes.add({ day, team: '', text }, by)
  const token = { role: 'analyst', names: false, userId: '', days: 90, ...by } as const
  await changes.createToken({ name: 'nightly report of the whole company', ...token })
  for (const path of ['/overdue', '/'])
    await entrance.views.save({
      login: filledLogins.owner,
      name: `Overdue people, ${path}`,
      path,
      query: 'range=90d',
    })
}

type Sent = {
  user: { id: number; name: string; groups?: { id: string; name: string }[]; managers?: { id: number }[] }
  challenge: { displayTitle: string }
  challengeAssignment: { id: string; challengeId: string }
}

/** An assignment whose person is in Sales North and has a manager. */
function findIds(bodies: readonly Buffer[]) {
  for (const body of bodies) {
    const { user, challenge, challengeAssignment: assignment } = JSON.parse(body.toString()) as Sent
    const team = user.groups?.find(({ name }) => name === 'Sales North')
    const manager = user.managers?.[0]?.id
    if (team === undefined || manager === undefined) continue
    return {
      team: team.id,
      challenge: assignment.challengeId,
      manager: String(manager),
      person: String(user.id),
      assignment: assignment.id,
      failed: toEventId(notJson),
      names: { team: team.name, person: user.name, challenge: challenge.displayTitle },
    }
  }
  throw new Error('no one in Sales North has a manager')
}

export const ids = findIds(filledEvents())

export type FilledCompany = Company & {
  url: string
  /** The guide of the orders. */
  guide: string
  /** Signs this browser in. */
  enter(context: BrowserContext, as: Role): Promise<void>
  cookieOf(as: Role): Promise<string>
}

export async function openFilledCompany(): Promise<FilledCompany> {
  const company = await openCompany({ env, contents: filledContents, clock: () => filledNow })
  const server = await listen({ app: company.app, close: async () => {} })
  const order = await createGuideOrders({ client: company.store.writer }).get('done')
  const cookieOf = (as: Role) => company.signIn(filledLogins[as])
  return {
    ...company,
    url: server.url,
    guide: order?.guideId ?? '',
    cookieOf,
    async enter(context, as) {
      const [name = '', value = ''] = (await cookieOf(as)).split('=')
      await context.addCookies([{ name, value, url: server.url }])
    },
    async close() {
      await server.stop()
      await company.close()
    },
  }
}
