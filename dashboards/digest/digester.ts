/**
 * Sends what is due: digests to people, one to the team channel, and alerts of Health. A pass does one thing after another,
 * and rests between two people as long as it worked, so that storing and pages do not wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AlertChange, DigestStore, SendKey, SendKind } from '../../services/digest/digest-store.ts'
import { createAlertJudge } from '../../services/digest/judge-alerts.ts'
import type { Mailer } from '../../services/digest/mailer.ts'
import { postText } from '../../services/digest/post-text.ts'
import { toDuePeriod, type Period, type Schedule } from '../../services/digest/schedule.ts'
import {
  isOver,
  mayTry,
  sendOnce,
  toMessageId,
  toStanding,
  type SentOnce,
  type ToSend,
} from '../../services/digest/send-once.ts'
import { createDueTogether } from './due-together.ts'
import type { DigestsTogether } from './read-digest.ts'
import { createFormat } from '../text/format.ts'
import { AlertMail, toAlertLine, toAlertSubject, toAlertText } from './alert-mail.tsx'
import type { Composer } from './compose.ts'
import { toHtml } from './mail-frame.tsx'
import type { DigestDefaults, Member, Members } from './members.ts'
import { readWrong, type WatchDeps } from './watch-alerts.ts'
import { wordsOf } from './words.ts'

export type DigesterDeps = {
  store: DigestStore
  members: Members
  composer: Composer
  watch: WatchDeps
  defaults: DigestDefaults
  /** DASHBOARD_URL. */
  site: string
  /** Left out: no mail is sent. */
  mailer?: Mailer
  channel?: { url: string; names: boolean }
  alertChannelUrl?: string
  clock: () => number
  onError: (error: unknown) => void
  /** How long a change of Health must hold before it is told. Default as `createAlertJudge`. */
  holdMs?: number
  /** Rest after each digest, as a share of the time that it took. Default 1. */
  rest?: number
}

export type Digester = {
  /** One pass over everything that is due. */
  tick(signal?: AbortSignal): Promise<void>
  /** One to herself, now, whatever was sent before. */
  sendTest(member: Member): Promise<SentOnce>
}

type Due = { member: Member; period: Period; schedule: Schedule }

const dayMs = 86_400_000
/** What was due longer ago is not sent any more. */
const sendsMs = 4 * dayMs
const coveredMs = 40 * dayMs
const alertMs = dayMs
export const channelRecipient = 'channel'

export function createDigester(deps: DigesterDeps): Digester {
  const { store, members, composer, watch, defaults, site, mailer, channel, alertChannelUrl, clock, onError } = deps
  const judge = createAlertJudge({ clock, ...(deps.holdMs !== undefined && { holdMs: deps.holdMs }) })
  const once = { store, clock }
  const host = new URL(site).hostname
  /** What needs no second look: kind, recipient, period. */
  const settled = new Set<string>()

  const toKey = ({ kind, recipient, period }: SendKey) => JSON.stringify([kind, recipient, period])

  /** Whether it may be sent now, by the state of the store at this moment. */
  async function mayBegin(thing: SendKey): Promise<boolean> {
    if (settled.has(toKey(thing))) return false
    const standing = toStanding(await store.readClaims(thing))
    if (isOver(standing, clock())) settled.add(toKey(thing))
    return standing.kind === 'open' && mayTry(standing, clock())
  }

  async function begin(thing: ToSend): Promise<SentOnce> {
    const outcome = await sendOnce(once, thing)
    if (outcome.state !== 'not_sent' && outcome.state !== 'withdrawn') settled.add(toKey(thing))
    return outcome
  }

  async function unsubscribeUrl(login: string, of: 'digest' | 'alerts'): Promise<string> {
    const query = new URLSearchParams({ key: await members.keyOf(login), ...(of === 'alerts' && { of }) })
    return `${site}/digest/unsubscribe?${query.toString()}`
  }

  const zoneOf = ({ subscription }: Member) => subscription?.time_zone || defaults.timeZone

  async function sendDigest(
    member: Member,
    key: SendKey,
    { coveredUntilMs, together }: { coveredUntilMs: number | undefined; together?: DigestsTogether | undefined },
  ): Promise<SentOnce | undefined> {
    if (mailer === undefined) return undefined
    const { login, address, language } = member
    const isTest = key.period.startsWith('test')
    const { identity, visitor } = await members.identify(login)
    const skip = (detail: string, coversUntilMs: number) =>
      store.writeStep({
        ...key,
        claim: 'skip',
        step: 2,
        atMs: clock(),
        state: 'skipped',
        address,
        messageId: '',
        coversUntilMs,
        detail,
      })
    const hasLeft = identity.userId !== null && (await store.readLeft([identity.userId], clock())).size > 0
    if (visitor.role === null || visitor.role === 'viewer' || hasLeft) {
      await skip(hasLeft ? 'She has left at the platform.' : 'She has no role any more.', 0)
      return undefined
    }
    const url = await unsubscribeUrl(login, 'digest')
    const composed = await composer.compose({
      visitor,
      member,
      timeZone: zoneOf(member),
      coveredUntilMs,
      unsubscribeUrl: url,
      together,
    })
    if (composed.isEmpty && !isTest) {
      await skip(visitor.isUnmatched === true ? 'Nobody at the platform is she.' : 'Nothing to say.', composed.asOfMs)
      return undefined
    }
    const messageId = toMessageId(key, host)
    const { subject, text, html } = composed
    return begin({
      ...key,
      address,
      messageId,
      coversUntilMs: isTest ? 0 : composed.asOfMs,
      send: () => mailer.send({ to: address, subject, text, html, messageId, unsubscribeUrl: url, language }),
    })
  }

  async function findDue(): Promise<Due[]> {
    const now = clock()
    const due = (await members.list()).flatMap((member): Due[] => {
      const { schedule, address, login } = member
      const period = schedule === null || address === '' ? undefined : toDuePeriod(schedule, now)
      if (schedule === null || period === undefined) return []
      return settled.has(toKey({ kind: 'digest', recipient: login, period: period.key }))
        ? []
        : [{ member, period, schedule }]
    })
    if (due.length === 0) return []
    const claims = Map.groupBy(await store.readSends({ fromMs: now - sendsMs, kind: 'digest' }), toKey)
    const open = due.filter(({ member, period }) => {
      const key = toKey({ kind: 'digest', recipient: member.login, period: period.key })
      const standing = toStanding(claims.get(key) ?? [])
      if (isOver(standing, now)) settled.add(key)
      return standing.kind === 'open' && mayTry(standing, now)
    })
    // Several processes begin at different people, and so rarely do the same work.
    const first = Math.floor(Math.random() * open.length)
    return [...open.slice(first), ...open.slice(0, first)]
  }

  async function sendDigests(signal: AbortSignal | undefined): Promise<void> {
    if (mailer === undefined) return
    const due = await findDue()
    if (due.length === 0) return
    const covered = await store.readCovered(clock() - coveredMs)
    const coveredUntil = (login: string) => covered.get(`digest ${login}`)
    const dueTogether = createDueTogether({ composer, members, clock, due, coveredUntil })
    let failures = 0
    for (const { member, period } of due) {
      if (signal?.aborted === true) break
      const key: SendKey = { kind: 'digest', recipient: member.login, period: period.key }
      const began = performance.now()
      try {
        if (!(await mayBegin(key))) continue
        const together = await dueTogether.of(member.login)
        const outcome = await sendDigest(member, key, { coveredUntilMs: coveredUntil(member.login), together })
        // Neither would the next one go.
        if (outcome?.state === 'not_sent' && outcome.isAway) break
        failures = 0
      } catch (error) {
        onError(error)
        // A store that answers nobody is asked again at the next pass.
        if (++failures === 3) break
      }
      await pause(Math.min(2_000, (performance.now() - began) * (deps.rest ?? 1)), undefined, { signal }).catch(
        () => undefined,
      )
    }
    mailer.rest()
  }

  async function sendToChannel(): Promise<void> {
    const { frequency, weekday, hour, timeZone, language } = defaults
    if (channel === undefined || frequency === 'off') return
    const schedule: Schedule = { frequency, weekday, hour, timeZone }
    const period = toDuePeriod(schedule, clock())
    if (period === undefined) return
    const key: SendKey = { kind: 'digest_channel', recipient: channelRecipient, period: period.key }
    if (!(await mayBegin(key))) return
    const coveredUntilMs = (await store.readCovered(clock() - coveredMs)).get(`digest_channel ${channelRecipient}`)
    const { text, isEmpty, asOfMs } = await composer.composeChannel({
      schedule,
      names: channel.names,
      language,
      coveredUntilMs,
    })
    const row = { ...key, address: '', messageId: '', coversUntilMs: asOfMs }
    if (isEmpty) {
      await store.writeStep({
        ...row,
        claim: 'skip',
        step: 2,
        atMs: clock(),
        state: 'skipped',
        detail: 'Nothing to say.',
      })
      return
    }
    await begin({ ...row, send: () => postText(channel.url, text) })
  }

  async function sendAlerts(): Promise<void> {
    if (mailer === undefined && alertChannelUrl === undefined) return
    const wrong = await readWrong(watch)
    for (const change of judge.judge(wrong, await store.readLatestAlerts())) await store.writeAlert(change)
    const now = clock()
    const changes = (await store.readAlerts(100)).filter(({ atMs }) => Math.abs(now - atMs) < alertMs)
    // The oldest first: what began is told before that it ended.
    for (const change of changes.toReversed()) await sendAlert(change)
  }

  async function sendAlert(change: AlertChange): Promise<void> {
    const period = `${change.alert} ${change.number} ${change.state}`
    const toThing = (kind: SendKind, recipient: string): SendKey => ({ kind, recipient, period })
    const words = wordsOf(defaults.language)
    const toChannel = toThing('alert_channel', channelRecipient)
    if (alertChannelUrl !== undefined && (await mayBegin(toChannel))) {
      const text = toAlertLine({ change, words, site })
      await begin({
        ...toChannel,
        address: '',
        messageId: '',
        coversUntilMs: 0,
        send: () => postText(alertChannelUrl, text),
      })
    }
    if (mailer === undefined) return
    for (const member of await members.list()) {
      const { login, address, alerts, language } = member
      const key = toThing('alert', login)
      if (!alerts || address === '' || !(await mayBegin(key))) continue
      const url = await unsubscribeUrl(login, 'alerts')
      const ownWords = wordsOf(language)
      const format = createFormat({ locale: ownWords.as.locale, timeZone: zoneOf(member), now: clock() })
      const view = { change, words: ownWords, format, site, unsubscribeUrl: url }
      const html = await toHtml(AlertMail({ view, language }))
      const messageId = toMessageId(key, host)
      const mail = { to: address, subject: toAlertSubject(view), text: toAlertText(view), html, messageId, language }
      const thing = { ...key, address, messageId, coversUntilMs: 0 }
      const outcome = await begin({ ...thing, send: () => mailer.send({ ...mail, unsubscribeUrl: url }) })
      if (outcome.state === 'not_sent' && outcome.isAway) break
    }
    mailer.rest()
  }

  return {
    async tick(signal) {
      for (const part of [sendAlerts, sendToChannel, () => sendDigests(signal)]) {
        if (signal?.aborted === true) return
        await part().catch(onError)
      }
    },
    async sendTest(member) {
      const key: SendKey = {
        kind: 'digest',
        recipient: member.login,
        period: `test ${new Date(clock()).toISOString()}`,
      }
      const covered = await store.readCovered(clock() - coveredMs)
      const outcome = await sendDigest(member, key, { coveredUntilMs: covered.get(`digest ${member.login}`) })
      mailer?.rest()
      return (
        outcome ?? { state: 'not_sent', detail: 'No mail server is set (SMTP_URL), or she has no role.', isAway: false }
      )
    },
  }
}

export type OpenDigesterOptions = {
  isReady: () => boolean
  onError: (error: unknown) => void
  /** How often to look. Default 60,000. */
  tickMs?: number
}

/** Runs passes while the process lives. */
export function openDigester(
  digester: Pick<Digester, 'tick'>,
  { isReady, onError, tickMs = 60_000 }: OpenDigesterOptions,
): { close(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function work(): Promise<void> {
    while (!signal.aborted) {
      if (isReady()) await digester.tick(signal).catch(onError)
      // Not in step with other processes, or two would withdraw before each other again and again.
      await pause(tickMs * (0.9 + 0.2 * Math.random()), undefined, { signal }).catch(() => undefined)
    }
  }

  const working = work()
  return {
    async close() {
      stopping.abort()
      await working
    },
  }
}
