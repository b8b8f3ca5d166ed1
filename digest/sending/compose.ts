/** Makes the digest of a person, read with their rights, for mails, previews and tests. */
import { toFullPeriod, toSince, type Frequency } from '../schedule.ts'
import { runAs, type Visitor } from '../../services/access/visitor.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { createFormat } from '../../language/format.ts'
import type { MailContent } from '../mail/mail-content.ts'
import { toDigestContent } from '../content/digest-text.ts'
import { createDigestLinks, type MayOpen } from '../content/links.ts'
import { isEmpty, readDigest, type DigestQueries } from '../content/read-digest.ts'
import { reading, readingOf } from '../../language/language.ts'
import { t } from '../../language/translate.ts'

export type ComposeDeps = {
  queries: DigestQueries
  settings: ScopeSettings
  site: string
  mayOpen: MayOpen
  clock: () => number
}

export type Composed = {
  content: MailContent
  /** Nothing that anybody would do anything about. */
  isEmpty: boolean
  /** The moment of its numbers, epoch ms. */
  asOfMs: number
}

export type ComposeOptions = {
  visitor: Visitor
  frequency: Frequency
  language: string
  timeZone: string
  /** How far the last one that surely arrived reaches, epoch ms. */
  coveredUntilMs?: number | undefined
  /** Covers the last full week or day, whatever was sent before. */
  isOfLastPeriod?: boolean
  /** People who do not see a team read a channel. */
  isForChannel?: boolean
  unsubscribeUrl: string | null
}

export type Composer = ReturnType<typeof createComposer>

export function createComposer({ queries, settings, site, mayOpen, clock }: ComposeDeps) {
  return {
    async compose(options: ComposeOptions): Promise<Composed> {
      const { visitor, frequency, language, timeZone, unsubscribeUrl } = options
      const now = clock()
      const moment = options.isOfLastPeriod
        ? toFullPeriod(frequency, timeZone, now)
        : { since: toSince(frequency, now, options.coveredUntilMs) }
      const all = await runAs(visitor, () => readDigest(queries, { ...moment, now, settings }))
      const notes = all.notes.filter(({ team }) => team === '' || !options.isForChannel)
      const digest = { ...all, notes }
      const as = readingOf(language)
      const content = reading(as, () => {
        const { dueZone } = settings
        const format = createFormat({ locale: as.locale, timeZone, dueZone, now: digest.asOf })
        const whose = visitor.audience.people === 'all' ? t('Everyone') : t('Your people')
        const links = createDigestLinks({ site, mayOpen }, visitor.role, digest)
        const isManager = visitor.role === 'manager'
        return toDigestContent({ digest, whose, format, site, links, isManager, unsubscribeUrl })
      })
      return { content, isEmpty: isEmpty(digest), asOfMs: digest.asOf }
    },
  }
}
