/** Everything about digests that the dashboards need: what pages ask, and what sends while the process lives. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Reader } from '../reporting/read/reader.ts'
import { createQueries } from '../reporting/queries/queries.ts'
import type { Notes } from '../services/notes/notes.ts'
import type { Access } from '../services/access/access.ts'
import type { Config } from '../services/config/config.ts'
import { createDigestStore, type Send } from './digest-store.ts'
import { createMailer, type MailOutcome } from './sending/mailer.ts'
import { toPlatformLinks, type PlatformLinks } from '../services/config/values/platform-links.ts'
import { createOnce, unknownAfterMs } from '../services/records/once.ts'
import { openRunner, type Task } from '../services/runtime/runner.ts'
import { currentVisitor, type AudienceSettings, type Visitor } from '../services/access/visitor.ts'
import type { ScopeSettings } from '../schemas/metrics/scope.ts'
import type { MayOpen } from './content/links.ts'
import type { WatchDeps } from './content/alerts.ts'
import { createComposer } from './sending/compose.ts'
import type { SendDeps } from './sending/send.ts'
import { createSendAlerts } from './sending/send-alerts.ts'
import { createSendDigests } from './sending/send-digests.ts'
import { createSendReminders } from './sending/send-reminders.ts'
import { printMail } from './mail/mail-html.tsx'
import { createReminders } from './reminders.ts'
import { createMembers, type Member } from './members.ts'
import { currentReading, reading, readingOf } from '../language/language.ts'
import type { Message } from '../language/translate.ts'

/** An empty `site`: DASHBOARD_URL is not set, and then nothing is sent. */
export type DigestOptions = Pick<
  SendDeps,
  'store' | 'mailer' | 'site' | 'defaults' | 'channel' | 'alertChannelUrl'
> & {
  /** Left out: owners and managers cannot have people reminded. */
  remind?: { everyDays: number; links: PlatformLinks }
}

/** Troubles that are not over, for the owner. */
export type DigestTrouble = { count: number; detail: string }

type Preview = { text: string; html: string }

export type DigestPages = ReturnType<typeof assembleDigest>['pages']

export type AssembleDigestDeps = DigestOptions & {
  access: Access
  notes: Pick<Notes, 'read'>
  audiences: AudienceSettings
  reader: Reader
  arrival: WatchDeps['arrival']
  settings: ScopeSettings
  mayOpen: MayOpen
  clock: () => number
  onError: (error: unknown) => void
  /** Sends the reminders that were asked for now. Default: they wait for the next pass. */
  wake?: () => void
}

const dayMs = 86_400_000
const shownMs = 60 * dayMs
const mostShown = 200

export type OpenDigestDeps = Omit<AssembleDigestDeps, 'wake'> & { isReady: () => boolean }

/** `tasks`: none if no address is known at which people open the dashboards. */
export function assembleDigest(deps: AssembleDigestDeps) {
  const { store, site, defaults, access, audiences, settings, mayOpen, clock, mailer } = deps
  const members = createMembers({ access, store, audiences, defaults, clock })
  // Not through the held answers: those of a thousand managers would push out what pages ask again and again.
  const queries = createQueries(deps.reader)
  const composer = createComposer({
    queries: { ...queries, readNotes: deps.notes.read },
    settings,
    site,
    mayOpen,
    clock,
  })
  const { remind, wake = () => undefined } = deps
  const canRemind = remind !== undefined && mailer !== undefined && site !== ''
  const watch = { arrival: deps.arrival, timeZone: settings.timeZone, clock }
  const sending: SendDeps = { ...deps, once: createOnce(store.sends, clock), members, composer, watch }
  const digests = createSendDigests(sending)
  const sendReminders = canRemind
    ? createSendReminders({ ...sending, ...remind, mailer, queries, settings })
    : undefined
  const reminders = createReminders({
    reader: deps.reader,
    store,
    members,
    canSend: canRemind,
    everyDays: remind?.everyDays ?? 1,
    timeZone: settings.timeZone,
    clock,
    wake,
  })

  /** Of the last full week or day, in the language of the member, or of the reader. */
  async function previewAs(visitor: Visitor, member: Member | undefined): Promise<Preview> {
    const language = member?.subscription?.language ?? currentReading().language
    const { content } = await composer.compose({
      visitor,
      language,
      frequency: member?.schedule?.frequency ?? 'weekly',
      timeZone: member?.subscription?.time_zone || defaults.timeZone,
      isOfLastPeriod: true,
      unsubscribeUrl: null,
    })
    return reading(readingOf(language), () => printMail(content))
  }

  const canSend = [mailer, deps.channel, deps.alertChannelUrl].some((way) => way !== undefined)
  const pages = {
    members,
    reminders,
    defaults,
    canMail: mailer !== undefined && site !== '',
    /** The reader's own digest. */
    async preview(): Promise<Preview> {
      const visitor = currentVisitor()
      return previewAs(visitor, await members.findMember(visitor.login))
    },
    /** The same of another member, with the rights of that member; `null`: there is none by this login. */
    async previewOf(login: string): Promise<Preview | null> {
      const member = await members.findMember(login)
      if (member === undefined) return null
      return previewAs((await members.identify(login)).visitor, member)
    },
    async sendTest(member: Member): Promise<Pick<MailOutcome, 'state' | 'detail'>> {
      const nothing = (detail: string) => ({ state: 'not_sent', detail }) as const
      if (site === '') return nothing('DASHBOARD_URL is not set.')
      if (mailer === undefined) return nothing('No mail server is set (SMTP_URL).' satisfies Message)
      const result = await digests.sendTest(member)
      return result?.state === 'sent' || result?.state === 'unknown'
        ? result
        : { state: 'not_sent', detail: result?.detail ?? '' }
    },
    /** Newest first. */
    sends: async () => (await store.readSends(clock() - shownMs)).filter(isShown).slice(0, mostShown),
    /** `null`: nothing is wrong, or nothing is sent. */
    async trouble(): Promise<DigestTrouble | null> {
      if (!canSend) return null
      const now = clock()
      const sends = await store.readSends(now - 2 * dayMs)
      const wrong = toTrouble(sends.filter(isShown), now)
      return wrong.length === 0 ? null : { count: wrong.length, detail: wrong[0]?.detail ?? '' }
    },
  }
  return { pages, tasks: site === '' ? [] : toTasks(sending, digests.run, sendReminders) }
}

function toTasks(
  sending: SendDeps,
  sendDigests: Task['run'],
  sendReminders: Task['run'] | undefined,
): Task[] {
  const everyMs = 60_000
  return [
    { name: 'alerts', everyMs, run: createSendAlerts(sending) },
    ...(sendReminders === undefined ? [] : [{ name: 'reminders', everyMs, run: sendReminders }]),
    { name: 'digests', everyMs, run: sendDigests },
  ]
}

/** Sends from now on, until it is closed. */
export function openDigest(deps: OpenDigestDeps): { pages: DigestPages; close(): Promise<void> } {
  const { isReady, onError, mailer } = deps
  const { pages, tasks } = assembleDigest({ ...deps, wake: () => runner.wake('reminders') })
  const runner = openRunner({ tasks, isRunner: isReady, onError })
  return {
    pages,
    async close() {
      await runner.close()
      mailer?.rest()
    },
  }
}

/** The page of reminders shows those. */
const isShown = ({ kind }: Send) => kind !== 'reminder'

/** Things of which the newest attempt did not end well. */
function toTrouble(sends: readonly Send[], now: number): Send[] {
  const things = Map.groupBy(sends, ({ kind, recipient, thing }) => JSON.stringify([kind, recipient, thing]))
  const isWrong = (claim: Send) =>
    ['not_sent', 'refused', 'unknown'].includes(claim.state) || isLost(claim, now)
  return [...things.values()]
    .filter((claims) => !claims.some(({ state }) => state === 'sent' || state === 'skipped'))
    .flatMap((claims) => claims.find(isWrong) ?? [])
}

/** An intent whose process has died: nobody knows whether the mail went. */
export function isLost({ state, at_ms }: Send, now: number): boolean {
  return state === 'intended' && now - at_ms > unknownAfterMs
}

export function toDigestOptions(
  config: Config,
  clients: { reader: ClickHouseClient; writer: ClickHouseClient },
  clock = Date.now,
): DigestOptions {
  const { smtpUrl, mailFrom, digestChannelUrl, alertChannelUrl, dashboardUrl } = config
  const hasMail = smtpUrl !== undefined && mailFrom !== undefined
  return {
    store: createDigestStore({ ...clients, clock }),
    site: dashboardUrl ?? '',
    defaults: {
      frequency: config.digestFrequency,
      weekday: 1,
      hour: config.digestHour,
      timeZone: config.timeZone,
      language: 'en',
    },
    ...(hasMail && { mailer: createMailer({ server: smtpUrl, from: mailFrom }) }),
    ...(digestChannelUrl !== undefined && {
      channel: { url: digestChannelUrl, names: config.digestChannelNames === 'granted' },
    }),
    ...(alertChannelUrl !== undefined && { alertChannelUrl }),
    ...(config.remind === 'on' && {
      remind: { everyDays: config.remindEveryDays, links: toPlatformLinks(config) },
    }),
  }
}
