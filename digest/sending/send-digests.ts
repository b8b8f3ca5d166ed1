/** Sends digests that are due: to people, and one to the team channel. */
import { isDeepStrictEqual } from 'node:util'
import { reading, readingOf } from '../../language/language.ts'
import type { Message } from '../../language/translate.ts'
import { everybody } from '../../reporting/audience.ts'
import { anybody } from '../../services/access/visitor.ts'
import type { OnceResult, Prepared } from '../../services/records/once.ts'
import type { Claim } from '../../services/records/records.ts'
import { postMessage } from '../channel.ts'
import type { SendAttempt } from '../digest-store.ts'
import { printMail } from '../mail/mail-html.tsx'
import type { Member } from '../members.ts'
import { toDuePeriod } from '../schedule.ts'
import { channelRecipient, inTurn, toAttempt, toMessageId, toUnsubscribeUrl } from './send.ts'
import type { SendDeps, SendKey } from './send.ts'

/** Why there is no mail, as stored: texts of the catalogues, so that pages say them in the language of their reader. */
const hasLeftDetail: Message = 'Not sent: this person has left the platform.'
const noRoleDetail: Message = 'Not sent: this person has no role that gets a digest.'
const unmatchedDetail: Message =
  'Not sent: no person at the platform has this email. Set the platform user id.'
const nothingDetail: Message = 'Nothing to report.'

const weekMs = 7 * 86_400_000

/** Where the next digest begins: where the last one that surely arrived ended, else a week before the first try. */
function toCovered(attempts: readonly Claim<SendAttempt>[]): number | undefined {
  const covering = attempts.flatMap(({ value: { state, coversUntilMs = 0 } }) =>
    coversUntilMs === 0 ? [] : [{ arrived: state === 'sent' || state === 'skipped', coversUntilMs }],
  )
  const arrived = covering.filter((each) => each.arrived).map((each) => each.coversUntilMs)
  if (arrived.length > 0) return Math.max(...arrived)
  return covering.length === 0 ? undefined : Math.min(...covering.map((each) => each.coversUntilMs)) - weekMs
}

export function createSendDigests(deps: SendDeps) {
  const { store, once, members, composer, defaults, site, mailer, channel, clock } = deps

  async function prepare(
    member: Member,
    key: SendKey,
    attempts: readonly Claim<SendAttempt>[],
    isTest: boolean,
  ): Promise<Prepared<SendAttempt>> {
    if (mailer === undefined) return undefined
    const { login, address, language, subscription } = member
    const about = { address }
    const { identity, visitor } = await members.identify(login)
    const ids = identity.userId === null ? [] : [identity.userId]
    if ((await store.readLeft(ids, clock())).size > 0)
      return { state: 'skipped', detail: hasLeftDetail, about }
    if (visitor.role === null) return { state: 'skipped', detail: noRoleDetail, about }
    if (visitor.isUnmatched === true) return { state: 'refused', detail: unmatchedDetail, about }
    const unsubscribeUrl = await toUnsubscribeUrl(deps, login, 'digest')
    const { content, isEmpty, asOfMs } = await composer.compose({
      visitor,
      language,
      frequency: member.schedule?.frequency ?? 'weekly',
      timeZone: subscription?.time_zone || defaults.timeZone,
      coveredUntilMs: toCovered(attempts),
      isOfLastPeriod: isTest,
      unsubscribeUrl,
    })
    const covers = isTest ? about : { ...about, coversUntilMs: asOfMs }
    if (isEmpty && !isTest) return { state: 'skipped', detail: nothingDetail, about: covers }
    // A pass takes minutes. Who has unsubscribed since gets none; a new address or schedule holds from the next pass on.
    const now = isTest ? member : await members.findMember(login)
    if (now?.address !== address || !isDeepStrictEqual(now.schedule, member.schedule)) return undefined
    const printed = await reading(readingOf(language), () => printMail(content))
    const mail = { ...printed, to: address, messageId: toMessageId(key, site), unsubscribeUrl, language }
    return { about: covers, act: () => mailer.send(mail) }
  }

  function sendTo(member: Member, thing: string, isTest = false): Promise<OnceResult> {
    const key: SendKey = { kind: 'digest', recipient: member.login, thing }
    return once.once(...toAttempt(key), (attempts) => prepare(member, key, attempts, isTest))
  }

  async function sendToChannel(): Promise<void> {
    const { frequency, weekday, hour, timeZone, language } = defaults
    if (channel === undefined || frequency === 'off') return
    const period = toDuePeriod({ frequency, weekday, hour, timeZone }, clock())
    if (period === undefined) return
    const key: SendKey = { kind: 'digest_channel', recipient: channelRecipient, thing: period.key }
    await once.once(...toAttempt(key), async (attempts) => {
      const { url, names } = channel
      const coveredUntilMs = toCovered(attempts)
      const composed = await composer.compose({
        visitor: { ...anybody, audience: { ...everybody, names } },
        frequency,
        language,
        timeZone,
        coveredUntilMs,
        isForChannel: true,
        unsubscribeUrl: null,
      })
      const about = { coversUntilMs: composed.asOfMs }
      if (composed.isEmpty) return { state: 'skipped', detail: nothingDetail, about }
      return { about, act: () => postMessage(url, composed.content, { names }) }
    })
  }

  return {
    async run(signal: AbortSignal): Promise<void> {
      await sendToChannel().catch(deps.onError)
      if (mailer === undefined) return
      const due = (await members.list()).flatMap((member) => {
        const { schedule, address, wasHere, login } = member
        const period =
          schedule === null || address === '' || !wasHere ? undefined : toDuePeriod(schedule, clock())
        const [key] = toAttempt({ kind: 'digest', recipient: login, thing: '' })
        return period === undefined || once.isOver(key, period.key) ? [] : [{ member, thing: period.key }]
      })
      // Several processes begin at different people, and so rarely do the same work.
      const first = Math.floor(Math.random() * due.length)
      const inOrder = [...due.slice(first), ...due.slice(0, first)]
      const options = { ...deps, signal, mostFailures: 3 }
      await inTurn(inOrder, ({ member, thing }) => sendTo(member, thing), options)
      mailer.rest()
    },
    /** Sends the member one now, whatever was sent before. */
    async sendTest(member: Member): Promise<OnceResult> {
      const result = await sendTo(member, `test ${new Date(clock()).toISOString()}`, true)
      mailer?.rest()
      return result
    },
  }
}
