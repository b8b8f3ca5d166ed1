/** Sends digests that are due: to people, and one to the team channel. */
import { isDeepStrictEqual } from 'node:util'
import { reading, readingOf } from '../../language/language.ts'
import type { Message } from '../../language/translate.ts'
import { everybody } from '../../reporting/audience.ts'
import { anybody } from '../../services/access/visitor.ts'
import type { OnceResult } from '../../services/records/once.ts'
import type { Claim } from '../../services/records/records.ts'
import { postMessage } from '../channel.ts'
import { toSendKey, type SendAttempt } from '../digest-store.ts'
import { printMail } from '../mail/mail-html.tsx'
import type { Member } from '../members.ts'
import { toDuePeriod } from '../schedule.ts'
import { channelRecipient, sendInTurn, sendOnce, toMessageId, toUnsubscribeUrl } from './send.ts'
import type { Prepare, SendDeps } from './send.ts'

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
  const { store, once, members, compose, defaults, site, mailer, channel, clock } = deps

  function sendTo(member: Member, thing: string, isTest = false): Promise<OnceResult> {
    const { login, address, language, timeZone } = member
    const key = { kind: 'digest', recipient: login, thing } as const
    const about = { address }
    const skip = (detail: Message, state: 'skipped' | 'refused' = 'skipped') => ({ state, detail, about })

    const prepare: Prepare = async (attempts) => {
      if (mailer === undefined) return undefined
      const { identity, visitor } = await members.identify(login)
      const ids = identity.userId === null ? [] : [identity.userId]
      if ((await store.readLeft(ids, clock())).size > 0) return skip(hasLeftDetail)
      if (visitor.role === null) return skip(noRoleDetail)
      if (visitor.isUnmatched === true) return skip(unmatchedDetail, 'refused')
      const unsubscribeUrl = toUnsubscribeUrl(site, await members.keyOf(login), 'digest')
      const { content, isEmpty, asOfMs } = await compose({
        visitor,
        language,
        frequency: member.schedule?.frequency ?? 'weekly',
        timeZone,
        covered: isTest ? 'full' : toCovered(attempts),
        unsubscribeUrl,
      })
      const covers = isTest ? about : { ...about, coversUntilMs: asOfMs }
      if (isEmpty && !isTest) return { ...skip(nothingDetail), about: covers }
      // A pass takes minutes. Who has unsubscribed since gets none; a new address or schedule holds from the next pass on.
      const now = isTest ? member : await members.findMember(login)
      if (now?.address !== address || !isDeepStrictEqual(now.schedule, member.schedule)) return undefined
      const printed = await reading(readingOf(language), () => printMail(content))
      const mail = { ...printed, to: address, messageId: toMessageId(key, site), unsubscribeUrl, language }
      return { about: covers, act: () => mailer.send(mail) }
    }
    return sendOnce(deps, key, prepare)
  }

  async function sendToChannel(): Promise<void> {
    const { frequency, language, timeZone } = defaults
    if (channel === undefined || frequency === 'off') return
    const period = toDuePeriod({ ...defaults, frequency }, clock())
    if (period === undefined) return
    const { url, names } = channel
    const key = { kind: 'digest_channel', recipient: channelRecipient, thing: period.key } as const
    await sendOnce(deps, key, async (attempts) => {
      const { content, isEmpty, asOfMs } = await compose({
        visitor: { ...anybody, audience: { ...everybody, names } },
        frequency,
        language,
        timeZone,
        covered: toCovered(attempts),
        isForChannel: true,
        unsubscribeUrl: null,
      })
      const about = { coversUntilMs: asOfMs }
      if (isEmpty) return { state: 'skipped', detail: nothingDetail, about }
      return { about, act: () => postMessage(url, content, { names }) }
    })
  }

  return {
    async run(signal: AbortSignal): Promise<void> {
      await sendToChannel().catch(deps.onError)
      if (mailer === undefined) return
      const due = (await members.list()).flatMap((member) => {
        const { schedule, address, wasHere, login } = member
        if (schedule === null || address === '' || !wasHere) return []
        const thing = toDuePeriod(schedule, clock())?.key
        return thing === undefined || once.isOver(toSendKey('digest', login), thing)
          ? []
          : [{ member, thing }]
      })
      // Several processes begin at different people, and so rarely do the same work.
      const first = Math.floor(Math.random() * due.length)
      const inOrder = [...due.slice(first), ...due.slice(0, first)]
      await sendInTurn(deps, signal, inOrder, ({ member, thing }) => sendTo(member, thing))
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
