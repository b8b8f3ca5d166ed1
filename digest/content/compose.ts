/** Makes the digest of a person, read with their rights, for mails, previews and tests. */
import { toFullPeriod, toSince } from '../schedule.ts'
import { everybody } from '../../reporting/audience/audience.ts'
import { allOf, anybody, runAs, type Visitor } from '../../services/access/visitor.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import { createFormat } from '../../language/format.ts'
import { DigestMail } from '../mail/digest-mail.tsx'
import { toChannelMessage, toDigestText, type DigestView } from './digest-text.ts'
import { createDigestLinks, type MayOpen } from './links.ts'
import type { ChannelMessage } from '../channel/message.ts'
import { toHtml } from '../mail/mail-frame.tsx'
import type { Member } from '../members.ts'
import {
  isEmpty,
  readDigest,
  readTogether,
  type Digest,
  type DigestQueries,
  type DigestsTogether,
} from './read-digest.ts'
import { wordsOf } from './words.ts'
import { reading } from '../../language/language.ts'

export type ComposeDeps = {
  queries: DigestQueries
  settings: ScopeSettings
  /** DASHBOARD_URL. */
  site: string
  mayOpen: MayOpen
  clock: () => number
}

export type Composed = {
  subject: string
  html: string
  text: string
  /** Nothing that anybody would do anything about. */
  isEmpty: boolean
  /** The moment of its numbers, epoch ms. */
  asOfMs: number
}

export type ComposeOptions = {
  visitor: Visitor
  member: Pick<Member, 'schedule' | 'language'>
  timeZone: string
  /** How far the last one that surely arrived reaches, epoch ms. */
  coveredUntilMs?: number | undefined
  /** Of the last full week or day, whatever was sent before. */
  isOfLastPeriod?: boolean
  unsubscribeUrl: string | null
  /** Numbers read for several members. Left out: they are read for this member alone. */
  together?: DigestsTogether | undefined
}

export type Composer = ReturnType<typeof createComposer>

export function createComposer({ queries, settings, site, mayOpen, clock }: ComposeDeps) {
  async function read(visitor: Visitor, schedule: Member['schedule'], coveredUntilMs?: number): Promise<Digest> {
    const now = clock()
    const since = toSince(schedule ?? { frequency: 'weekly' }, now, coveredUntilMs)
    return runAs(visitor, () => readDigest(queries, { since, now, settings }))
  }

  /** The member's part of numbers read for several, with the rights of this moment; else read for the member alone. */
  async function readOwn(options: ComposeOptions): Promise<Digest> {
    const { visitor, member, timeZone, coveredUntilMs, isOfLastPeriod, together } = options
    if (isOfLastPeriod === true) {
      const now = clock()
      const period = toFullPeriod(member.schedule?.frequency ?? 'weekly', timeZone, now)
      return runAs(visitor, () => readDigest(queries, { ...period, now, settings }))
    }
    const own = together && (await runAs(visitor, () => together.own()))
    return own ?? read(visitor, member.schedule, coveredUntilMs)
  }

  function toView(
    digest: Digest,
    visitor: Visitor,
    language: string,
    timeZone: string,
  ): Omit<DigestView, 'unsubscribeUrl'> {
    const words = wordsOf(language)
    const format = createFormat({ locale: words.as.locale, timeZone, now: digest.asOf })
    const title = visitor.audience.people === 'all' ? words.titleOfAll : words.title
    return { digest, words, title, format, site, links: createDigestLinks({ site, mayOpen }, visitor.role, digest) }
  }

  return {
    /** Reads once for several people who see some people only, and whose digests begin at the same moment. */
    async readTogether(visitors: readonly Visitor[], { since, now }: { since: number; now: number }) {
      return runAs(allOf(visitors), () => readTogether(queries, { since, now, settings }))
    },

    /** How many people the visitor sees; `null`: everybody. */
    async countSeen(visitor: Visitor): Promise<number | null> {
      const scope = createScope(clock(), settings)
      return runAs(visitor, async () => (await queries.under(scope))?.length ?? null)
    },

    async compose(options: ComposeOptions): Promise<Composed> {
      const { visitor, member, timeZone, unsubscribeUrl } = options
      const { language } = member
      const digest = await readOwn(options)
      const view = { ...toView(digest, visitor, language, timeZone), unsubscribeUrl }
      const html = await reading(view.words.as, () => toHtml(DigestMail({ view, language: view.words.as.language })))
      return {
        subject: view.words.subject(view.title, digest.newlyLate.total, digest.waiting.total),
        html,
        text: reading(view.words.as, () => toDigestText(view)),
        isEmpty: isEmpty(digest),
        asOfMs: digest.asOf,
      }
    },

    /** For a team channel: everybody's numbers, names only where granted. */
    async composeChannel(options: {
      schedule: Member['schedule']
      names: boolean
      language: string
      coveredUntilMs?: number | undefined
    }): Promise<{ message: ChannelMessage; isEmpty: boolean; asOfMs: number }> {
      const { schedule, names, language, coveredUntilMs } = options
      const visitor: Visitor = { ...anybody, audience: { ...everybody, names } }
      const digest = await read(visitor, schedule, coveredUntilMs)
      const view = { ...toView(digest, visitor, language, settings.timeZone), unsubscribeUrl: null }
      return {
        message: reading(view.words.as, () => toChannelMessage(view, { names })),
        isEmpty: isEmpty(digest),
        asOfMs: digest.asOf,
      }
    },
  }
}
