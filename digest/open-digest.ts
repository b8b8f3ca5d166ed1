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
import type { WatchDeps } from './content/alerts.ts'
import { compose, type ComposeDeps } from './sending/compose.ts'
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
  /** Undefined: owners and managers cannot have people reminded. */
  remind?: { everyDays: number; links: PlatformLinks }
}

/** Troubles that are not over, for the owner. */
export type DigestTrouble = { count: number; detail: string }

export type DigestPages = ReturnType<typeof assembleDigest>['pages']

export type DigestDeps = DigestOptions &
  Pick<ComposeDeps, 'settings' | 'mayOpen'> & {
    access: Access
    notes: Pick<Notes, 'read'>
    audiences: AudienceSettings
    reader: Reader
    arrival: WatchDeps['arrival']
    clock: () => number
    onError: (error: unknown) => void
    /** Sends the requested reminders now. Default: they wait for the next pass. */
    wake?: () => void
  }

const dayMs = 86_400_000
const shownMs = 60 * dayMs
const mostShown = 200
const everyMs = 60_000

/** `tasks`: none if no address is known at which people open the dashboards. */
export function assembleDigest(deps: DigestDeps) {
  const { store, site, defaults, remind, settings, mailer, clock } = deps
  const members = createMembers(deps)
  // Not through the cached answers: those of a thousand managers would push out what pages ask again and again.
  const queries = createQueries(deps.reader)
  const composing = { ...deps, queries: { ...queries, readNotes: deps.notes.read } }
  const sending: SendDeps = {
    ...deps,
    once: createOnce(store.sends, clock),
    members,
    compose: (options) => compose(composing, options),
    watch: { arrival: deps.arrival, timeZone: settings.timeZone, clock },
  }
  const digests = createSendDigests(sending)
  const tasks: Task[] = [{ name: 'alerts', everyMs, run: createSendAlerts(sending) }]
  const canRemind = remind !== undefined && mailer !== undefined && site !== ''
  if (canRemind) {
    const run = createSendReminders({ ...sending, ...remind, mailer, queries, settings })
    tasks.push({ name: 'reminders', everyMs, run })
  }
  tasks.push({ name: 'digests', everyMs, run: digests.run })

  /** Of the last full week or day, in the language of the member, or of the reader. */
  async function previewAs(visitor: Visitor, member: Member | undefined) {
    const language = member?.language ?? currentReading().language
    const { content } = await sending.compose({
      visitor,
      language,
      frequency: member?.schedule?.frequency ?? 'weekly',
      timeZone: member?.timeZone ?? defaults.timeZone,
      covered: 'full',
      unsubscribeUrl: null,
    })
    return reading(readingOf(language), () => printMail(content))
  }

  const pages = {
    members,
    reminders: createReminders({ ...deps, members, canSend: canRemind }),
    defaults,
    canMail: mailer !== undefined && site !== '',
    /** The reader's own digest. */
    preview: async () => previewAs(currentVisitor(), await members.findMember(currentVisitor().login)),
    /** The same of another member, with the rights of that member; `null` if no member has this login. */
    async previewOf(login: string) {
      const member = await members.findMember(login)
      return member === undefined ? null : previewAs((await members.identify(login)).visitor, member)
    },
    async sendTest(member: Member): Promise<Pick<MailOutcome, 'state' | 'detail'>> {
      if (site === '') return { state: 'not_sent', detail: 'DASHBOARD_URL is not set.' }
      if (mailer === undefined)
        return { state: 'not_sent', detail: 'No mail server is set (SMTP_URL).' satisfies Message }
      const result = await digests.sendTest(member)
      return result?.state === 'sent' || result?.state === 'unknown'
        ? result
        : { state: 'not_sent', detail: result?.detail ?? '' }
    },
    /** Newest first. */
    sends: async () => (await store.readSends(clock() - shownMs)).filter(isShown).slice(0, mostShown),
    /** `null` if nothing is wrong, or nothing is sent. */
    async trouble(): Promise<DigestTrouble | null> {
      if (!(mailer ?? deps.channel ?? deps.alertChannelUrl)) return null
      const now = clock()
      const wrong = toTrouble((await store.readSends(now - 2 * dayMs)).filter(isShown), now)
      return wrong[0] === undefined ? null : { count: wrong.length, detail: wrong[0].detail }
    },
  }
  return { pages, tasks: site === '' ? [] : tasks }
}

/** Sends from now on, until it is closed. */
export function openDigest(deps: Omit<DigestDeps, 'wake'> & { isReady: () => boolean }) {
  const { isReady, onError, mailer } = deps
  const { pages, tasks } = assembleDigest({ ...deps, wake: () => runner.wake('reminders') })
  const runner = openRunner({ tasks, isRunner: isReady, onError })
  return {
    pages,
    async close(): Promise<void> {
      await runner.close()
      mailer?.rest()
    },
  }
}

/** The page of reminders shows those. */
const isShown = ({ kind }: Send) => kind !== 'reminder'

/** Things whose newest attempt did not end well. */
function toTrouble(sends: readonly Send[], now: number): Send[] {
  const things = Map.groupBy(sends, ({ kind, recipient, thing }) => JSON.stringify([kind, recipient, thing]))
  const isWrong = (send: Send) => ['not_sent', 'refused', 'unknown'].includes(send.state) || isLost(send, now)
  return [...things.values()]
    .filter((attempts) => !attempts.some(({ state }) => state === 'sent' || state === 'skipped'))
    .flatMap((attempts) => attempts.find(isWrong) ?? [])
}

/** An intent whose process has died: the mail may have gone. */
export function isLost({ state, at_ms }: Send, now: number): boolean {
  return state === 'intended' && now - at_ms > unknownAfterMs
}

export function toDigestOptions(
  config: Config,
  clients: { reader: ClickHouseClient; writer: ClickHouseClient },
  clock = Date.now,
): DigestOptions {
  const { smtpUrl, mailFrom, digestChannelUrl, alertChannelUrl, dashboardUrl, timeZone } = config
  const hasMail = smtpUrl !== undefined && mailFrom !== undefined
  const { digestFrequency: frequency, digestHour: hour } = config
  return {
    store: createDigestStore({ ...clients, clock }),
    site: dashboardUrl ?? '',
    defaults: { frequency, weekday: 1, hour, timeZone, language: 'en' },
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
