/**
 * Sends due things: digests to people, one to the team channel, alerts of Health, and reminders that were asked for. A pass does one thing after another,
 * and rests between two people for a quarter of the time that it worked, so that storing and pages do not wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { SendKey } from '../digest-store.ts'
import { postMessage } from '../channel.ts'
import { toDuePeriod, type Period } from '../schedule.ts'
import { toMessageId, type SentOnce } from './send-once.ts'
import type { Member } from '../members.ts'
import type { Message } from '../../language/translate.ts'
import { createOutbox, inTurn, type DigesterDeps, type Outbox } from './outbox.ts'
import { channelRecipient, createSendAlerts } from './send-alerts.ts'
import { createSendSummaries } from './send-reminders.ts'

export type Digester = ReturnType<typeof createDigester>

/** Why there is no mail, as stored: texts of the catalogues, so that pages say them in the language of their reader. */
const hasLeftDetail: Message = 'Not sent: this person has left the platform.'
const noRoleDetail: Message = 'Not sent: this person has no role that gets a digest.'
const unmatchedDetail: Message =
  'Not sent: no person at the platform has this e-mail. Set the platform user id.'
const nothingDetail: Message = 'Nothing to report.'
const noMemberDetail: Message = 'Your role gets no digest, or you have left the platform.'
const noServerDetail: Message = 'No mail server is set (SMTP_URL).'

type Due = { member: Member; period: Period }

const toKey = ({ member, period }: Due): SendKey => ({
  kind: 'digest',
  recipient: member.login,
  period: period.key,
})

const dayMs = 86_400_000
/** A mail that was due longer ago is not sent any more. */
const sendsMs = 4 * dayMs
const coveredMs = 40 * dayMs

export function createDigester(deps: DigesterDeps) {
  const { store, members, composer, defaults, site, mailer, channel, clock, onError } = deps
  const outbox = createOutbox(store, clock)
  const host = new URL(site).hostname

  async function unsubscribeUrl(login: string, of: 'digest' | 'alerts'): Promise<string> {
    const query = new URLSearchParams({ key: await members.keyOf(login), ...(of === 'alerts' && { of }) })
    return `${site}/digest/unsubscribe?${query.toString()}`
  }

  const zoneOf = ({ subscription }: Member) => subscription?.time_zone || defaults.timeZone

  async function sendDigest(
    member: Member,
    key: SendKey,
    coveredUntilMs?: number,
  ): Promise<SentOnce | undefined> {
    if (mailer === undefined) return undefined
    const { login, address, language } = member
    const isTest = key.period.startsWith('test')
    const { identity, visitor } = await members.identify(login)
    const end = async (state: 'skipped' | 'refused', detail: Message, coversUntilMs = 0) => {
      // Another process may have sent it since this pass began.
      if (await outbox.mayBegin(key)) await outbox.end(key, { state, address, coversUntilMs, detail })
    }
    const readHasLeft = async () =>
      identity.userId !== null && (await store.readLeft([identity.userId], clock())).size > 0
    const compose = async () => {
      const unsubscribe = await unsubscribeUrl(login, 'digest')
      const about = { visitor, member, timeZone: zoneOf(member), coveredUntilMs, isOfLastPeriod: isTest }
      return { ...(await composer.compose({ ...about, unsubscribeUrl: unsubscribe })), unsubscribe }
    }
    const hasNoRole = visitor.role === null
    const [hasLeft, composed] = await Promise.all([
      readHasLeft(),
      hasNoRole || visitor.isUnmatched === true ? undefined : compose(),
    ])
    if (hasNoRole || hasLeft) {
      await end('skipped', hasLeft ? hasLeftDetail : noRoleDetail)
      return undefined
    }
    if (composed === undefined) {
      await end('refused', unmatchedDetail)
      return { state: 'refused', detail: unmatchedDetail }
    }
    if (composed.isEmpty && !isTest) {
      await end('skipped', nothingDetail, composed.asOfMs)
      return undefined
    }
    // A pass takes minutes. Who has unsubscribed since gets none; a new address or schedule holds from the next pass on.
    const now = isTest ? member : await members.findMember(login)
    if (now?.address !== address || !isDeepStrictEqual(now.schedule, member.schedule)) return undefined
    const messageId = toMessageId(key, host)
    const { subject, text, html, unsubscribe } = composed
    return outbox.begin({
      ...key,
      address,
      messageId,
      coversUntilMs: isTest ? 0 : composed.asOfMs,
      send: () =>
        mailer.send({ to: address, subject, text, html, messageId, unsubscribeUrl: unsubscribe, language }),
    })
  }

  async function sendDigests(signal: AbortSignal | undefined): Promise<void> {
    if (mailer === undefined) return
    const due = await findDue(deps, outbox)
    if (due.length === 0) return
    const covered = await store.readCovered(clock() - coveredMs)
    // Another process that sends the same digests may have sent the next ones, too.
    let isMet = false
    const send = async ({ member, period }: Due) => {
      const key = toKey({ member, period })
      if (isMet && !(await outbox.mayBegin(key))) return undefined
      const outcome = await sendDigest(member, key, covered.get(`digest ${member.login}`))
      isMet ||= outcome?.state === 'withdrawn'
      return outcome
    }
    await inTurn(due, send, { ...deps, signal, mostFailures: 3 })
    mailer.rest()
  }

  async function sendToChannel(): Promise<void> {
    const { frequency, weekday, hour, timeZone, language } = defaults
    if (channel === undefined || frequency === 'off') return
    const period = toDuePeriod({ frequency, weekday, hour, timeZone }, clock())
    if (period === undefined) return
    const key: SendKey = { kind: 'digest_channel', recipient: channelRecipient, period: period.key }
    if (!(await outbox.mayBegin(key))) return
    const coveredUntilMs = (await store.readCovered(clock() - coveredMs)).get(
      `digest_channel ${channelRecipient}`,
    )
    const { names } = channel
    const { content, isEmpty, asOfMs } = await composer.composeChannel({
      frequency,
      names,
      language,
      coveredUntilMs,
    })
    if (isEmpty) return outbox.end(key, { state: 'skipped', coversUntilMs: asOfMs, detail: nothingDetail })
    await outbox.begin({
      ...key,
      coversUntilMs: asOfMs,
      send: () => postMessage(channel.url, content, { names }),
    })
  }

  const toUnsubscribe = (login: string) => unsubscribeUrl(login, 'alerts')
  const sendAlerts = createSendAlerts({ ...deps, outbox, zoneOf, unsubscribeUrl: toUnsubscribe })
  const sendSummaries = createSendSummaries(deps, outbox)

  return {
    /** One pass over everything that is due. */
    async tick(signal?: AbortSignal): Promise<void> {
      const sendReminders = async () => deps.sendReminders?.(signal)
      for (const part of [
        sendAlerts,
        sendToChannel,
        sendReminders,
        sendSummaries,
        () => sendDigests(signal),
      ]) {
        if (signal?.aborted === true) return
        await part().catch(onError)
      }
    },
    /** Sends the member one now, whatever was sent before. */
    async sendTest(member: Member): Promise<SentOnce> {
      const period = `test ${new Date(clock()).toISOString()}`
      const outcome = await sendDigest(member, { kind: 'digest', recipient: member.login, period })
      mailer?.rest()
      const detail = mailer === undefined ? noServerDetail : noMemberDetail
      return outcome ?? { state: 'not_sent', detail, isAway: false }
    },
  }
}

async function findDue({ store, members, clock }: DigesterDeps, outbox: Outbox): Promise<Due[]> {
  const now = clock()
  const due = (await members.list()).flatMap((member): Due[] => {
    const { schedule, address, wasHere } = member
    const period = schedule === null || address === '' || !wasHere ? undefined : toDuePeriod(schedule, now)
    if (schedule === null || period === undefined) return []
    return outbox.isSettled(toKey({ member, period })) ? [] : [{ member, period }]
  })
  if (due.length === 0) return []
  const sends = await store.readSends({ fromMs: now - sendsMs, kind: 'digest' })
  const claims = Map.groupBy(sends, ({ recipient, period }) => JSON.stringify([recipient, period]))
  const open = due.filter((each) => {
    const key = toKey(each)
    return outbox.isOpen(key, claims.get(JSON.stringify([key.recipient, key.period])) ?? [])
  })
  // Several processes begin at different people, and so rarely do the same work.
  const first = Math.floor(Math.random() * open.length)
  return [...open.slice(first), ...open.slice(0, first)]
}

export type OpenDigesterOptions = {
  isReady: () => boolean
  onError: (error: unknown) => void
  /** How often to look. Default 60,000. */
  tickMs?: number
}

export function openDigester(
  digester: Pick<Digester, 'tick'>,
  { isReady, onError, tickMs = 60_000 }: OpenDigesterOptions,
): { close(): Promise<void>; wake(): void } {
  const stopping = new AbortController()
  const { signal } = stopping
  let waking = new AbortController()

  async function work(): Promise<void> {
    while (!signal.aborted) {
      waking = new AbortController()
      if (isReady()) await digester.tick(signal).catch(onError)
      // Not in step with other processes, or two would withdraw before each other again and again.
      const either = AbortSignal.any([signal, waking.signal])
      await pause(tickMs * (0.9 + 0.2 * Math.random()), undefined, { signal: either }).catch(() => undefined)
    }
  }

  const working = work()
  return {
    async close() {
      stopping.abort()
      await working
    },
    /** Has a pass begin now, or right after the one that goes on. */
    wake: () => waking.abort(),
  }
}
