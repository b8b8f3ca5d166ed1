/** The company of the tests of access, with digests: a clock of its own, and a real mail server. */
import { assembleDigest, toDigestOptions, type DigestPages } from '../../digest/open-digest.ts'
import { createMembers } from '../../digest/members.ts'
import { currentVisitor, toVisitor } from '../../services/access/visitor.ts'
import { mayOpen } from '../../dashboards/access/route-policy.ts'
import type { Arrival } from '../../dashboards/arrival.ts'
import type { Health } from '../../reporting/queries/health.ts'
import { readFor } from '../../reporting/queries/read-for.ts'
import { createDigestStore, type DigestStore } from '../../digest/digest-store.ts'
import { createMailer } from '../../digest/sending/mailer.ts'
import { configure, openCompany, type Company } from '../dashboards/access/company.ts'
import { openMailServer, type MailServer } from '../support/network/mail-server.ts'
import { toDashboardSettings } from '../../dashboards/settings.ts'

export type DigestCompany = {
  company: Company
  mail: MailServer
  store: DigestStore
  clock: { now: number }
  /** `refusal`: the answer of the mail server to every recipient. */
  mailbox: { refusal?: string }
  /** Another dashboards process over the same store. */
  openProcess(more?: {
    mailUrl?: string
    env?: Record<string, string>
    store?: DigestStore
    arrival?: FakeArrival
  }): Process
  errors: unknown[]
  close(): Promise<void>
}

/** `tick`: each task once. */
export type Process = { pages: DigestPages; digester: { tick(): Promise<void> } }

/** The Health page of the test. */
export type FakeArrival = Pick<Arrival, 'health'>

export const site = 'https://rollcall.example.com'
const well = {
  as_of: '2026-01-05T00:00:00.000Z',
  standing: {
    stalled_since: null,
    reason: null,
    waiting: 0,
    in_spools: 0,
    complete_through: null,
    has_begun: true,
    has_guides: true,
  },
  silence: { kind: 'nothing_yet' },
  ledger: { all: { lost: 0, difference: 0 } },
  failed: { reasons: [] },
  drift: [],
} as unknown as Health

export type DigestCompanyOptions = {
  /** Where the clock stands at the beginning, epoch ms. */
  now: number
  /** Settings of the dashboards that people open. Left out: these send no mail. */
  env?: Record<string, string>
}

export async function openDigestCompany({ now, env: ofPages }: DigestCompanyOptions): Promise<DigestCompany> {
  const clock = { now }
  const mailbox: DigestCompany['mailbox'] = {}
  const mail = await openMailServer({
    onRcptTo(_address, _session, callback) {
      const { refusal } = mailbox
      callback(refusal === undefined ? null : Object.assign(new Error(refusal), { responseCode: 550 }))
    },
  })
  const sending = { SMTP_URL: mail.url, MAIL_FROM: 'Rollcall <rollcall@example.com>', DASHBOARD_URL: site }
  const company = await openCompany({
    clock: () => clock.now,
    ...(ofPages !== undefined && { env: { ...sending, ...ofPages } }),
  })
  const { store: clickhouse, entrance, access } = company
  const store = createDigestStore({ ...clickhouse, clock: () => clock.now })
  const errors: unknown[] = []
  return {
    company,
    mail,
    store,
    clock,
    mailbox,
    errors,
    openProcess({ mailUrl = mail.url, env = {}, store: ownStore = store, arrival } = {}) {
      const config = configure({ ...sending, SMTP_URL: mailUrl, DASHBOARD_AUTH: 'password', ...env })
      const options = toDigestOptions(config, clickhouse)
      const server = config.smtpUrl
      if (server === undefined) throw new Error('these tests send mail')
      const { pages, tasks } = assembleDigest({
        ...options,
        mailer: createMailer({ server, from: 'rollcall@example.com', retries: 0, timeoutMs: 10_000 }),
        store: ownStore,
        access,
        audiences: entrance.audiences,
        notes: entrance.notes,
        reader: readFor(clickhouse.reader, {
          audience: () => currentVisitor().audience,
          clock: () => clock.now,
        }),
        arrival: arrival ?? { health: () => Promise.resolve(well) },
        settings: toDashboardSettings(config),
        mayOpen,
        clock: () => clock.now,
        onError: (error) => void errors.push(error),
      })
      const { signal } = new AbortController()
      const onError = (error: unknown) => void errors.push(error)
      async function tick(): Promise<void> {
        for (const task of tasks) await task.run(signal).catch(onError)
      }
      return { pages, digester: { tick } }
    },
    async close() {
      await company.close()
      await mail.close()
    },
  }
}

/** Health as it is where something is wrong. */
export function toHealth(wrong: { failed?: number; lost?: number; stalled?: string }): Health {
  return {
    ...well,
    standing: {
      ...well.standing,
      stalled_since: wrong.stalled ?? null,
      reason: wrong.stalled ? 'disk full' : null,
    },
    ledger: { all: { ...well.ledger.all, lost: wrong.lost ?? 0 }, day: [] },
    failed: {
      total: wrong.failed ?? 0,
      reasons:
        wrong.failed === undefined
          ? []
          : [{ reason: 'x', events: wrong.failed, first_seen: '', last_seen: '', sources: [] }],
      events: [],
    },
  }
}

/** Gives a login a role, as the owner's page does; a manager has signed in since, unless the test says otherwise. */
export async function enter(
  company: Company,
  login: string,
  role: string,
  userId = '',
  { signsIn = role === 'manager' }: { signsIn?: boolean } = {},
): Promise<void> {
  const set = await company.changes.setPerson({ login, role, names: false, userId, by: 'test', address: '' })
  if (!set.ok) throw new Error(set.problem.code)
  if (signsIn) await visit(company, login)
}

/** The note of the dashboards on a person who is signed in. */
export async function visit({ access, entrance, store }: Company, login: string): Promise<void> {
  const identity = await access.identify({ login, email: login, role: null, userId: '' })
  const members = createMembers({
    access,
    store: createDigestStore({ ...store, clock: access.clock }),
    audiences: entrance.audiences,
    defaults: { frequency: 'weekly', weekday: 1, hour: 7, timeZone: 'UTC', language: 'en' },
    clock: access.clock,
  })
  await members.note(toVisitor(identity, 'session', entrance.audiences))
}
