/** Makes the digest of a person, read with their rights, for mails, previews and tests. */
import { toFullPeriod, toSince, type Frequency } from '../schedule.ts'
import { everybody } from '../../reporting/audience.ts'
import { anybody, runAs, type Visitor } from '../../services/access/visitor.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { createFormat } from '../../language/format.ts'
import { toText, type MailContent } from '../mail/mail-content.ts'
import { toHtml } from '../mail/mail-html.tsx'
import { toDigestContent } from '../content/digest-text.ts'
import { createDigestLinks, type MayOpen } from '../content/links.ts'
import type { Member } from '../members.ts'
import {
  isEmpty,
  readDigest,
  type Digest,
  type DigestMoment,
  type DigestQueries,
} from '../content/read-digest.ts'
import { currentReading, reading, readingOf } from '../../language/language.ts'
import { t } from '../../language/translate.ts'

export type ComposeDeps = {
  queries: DigestQueries
  settings: ScopeSettings
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
  /** Covers the last full week or day, whatever was sent before. */
  isOfLastPeriod?: boolean
  unsubscribeUrl: string | null
}

export type Composer = ReturnType<typeof createComposer>

export function createComposer({ queries, settings, site, mayOpen, clock }: ComposeDeps) {
  function read(visitor: Visitor, moment: Omit<DigestMoment, 'settings'>): Promise<Digest> {
    return runAs(visitor, () => readDigest(queries, { ...moment, settings }))
  }

  function toView(digest: Digest, visitor: Visitor, timeZone: string) {
    const { dueZone } = settings
    const format = createFormat({ locale: currentReading().locale, timeZone, dueZone, now: digest.asOf })
    const whose = visitor.audience.people === 'all' ? t('Everyone') : t('Your people')
    const links = createDigestLinks({ site, mayOpen }, visitor.role, digest)
    return { digest, whose, format, site, links, isManager: visitor.role === 'manager' }
  }

  return {
    async compose(options: ComposeOptions): Promise<Composed> {
      const { visitor, member, timeZone, coveredUntilMs, isOfLastPeriod = false, unsubscribeUrl } = options
      const { language, schedule } = member
      const now = clock()
      const frequency = schedule?.frequency ?? 'weekly'
      const moment = isOfLastPeriod
        ? toFullPeriod(frequency, timeZone, now)
        : { since: toSince(frequency, now, coveredUntilMs) }
      const digest = await read(visitor, { ...moment, now })
      return reading(readingOf(language), async () => {
        const content = toDigestContent({ ...toView(digest, visitor, timeZone), unsubscribeUrl })
        return {
          subject: content.subject,
          html: await toHtml(content),
          text: toText(content),
          isEmpty: isEmpty(digest),
          asOfMs: digest.asOf,
        }
      })
    },

    /** For a team channel: everybody's numbers, names only where granted. */
    async composeChannel(options: {
      frequency: Frequency
      names: boolean
      language: string
      coveredUntilMs?: number | undefined
    }): Promise<{ content: MailContent; isEmpty: boolean; asOfMs: number }> {
      const { frequency, names, language, coveredUntilMs } = options
      const visitor: Visitor = { ...anybody, audience: { ...everybody, names } }
      const now = clock()
      const all = await read(visitor, { since: toSince(frequency, now, coveredUntilMs), now })
      // People who do not see the team read a channel.
      const digest = { ...all, notes: all.notes.filter(({ team }) => team === '') }
      const content = reading(readingOf(language), () =>
        toDigestContent({ ...toView(digest, visitor, settings.timeZone), unsubscribeUrl: null }),
      )
      return { content, isEmpty: isEmpty(digest), asOfMs: digest.asOf }
    },
  }
}
