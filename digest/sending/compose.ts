/** Makes the digest of a person, read with their rights, for mails, previews and tests. */
import { toFullPeriod, toSince, type Frequency } from '../schedule.ts'
import { runAs, type Visitor } from '../../services/access/visitor.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { createFormat } from '../../language/format.ts'
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

export type ComposeOptions = {
  visitor: Visitor
  frequency: Frequency
  language: string
  timeZone: string
  /** How far the last one that surely arrived reaches, epoch ms. `full`: covers the last full week or day instead. */
  covered: number | 'full' | undefined
  /** People who do not see a team read a channel. */
  isForChannel?: boolean
  unsubscribeUrl: string | null
}

export type Compose = (options: ComposeOptions) => Promise<Awaited<ReturnType<typeof compose>>>

/** `isEmpty`: nothing that anyone would act on. `asOfMs`: the moment of its numbers. */
export async function compose(
  { queries, settings, site, mayOpen, clock }: ComposeDeps,
  options: ComposeOptions,
) {
  const { visitor, frequency, language, timeZone, covered, unsubscribeUrl } = options
  const now = clock()
  const moment =
    covered === 'full'
      ? toFullPeriod(frequency, timeZone, now)
      : { since: toSince(frequency, now, covered), until: now }
  const all = await runAs(visitor, () => readDigest(queries, { ...moment, now, settings }))
  const notes = all.notes.filter(({ team }) => team === '' || !options.isForChannel)
  const digest = { ...all, notes }
  const as = readingOf(language)
  const content = reading(as, () =>
    toDigestContent({
      digest,
      whose: visitor.audience.people === 'all' ? t('Everyone') : t('Your people'),
      format: createFormat({ locale: as.locale, timeZone, dueZone: settings.dueZone, now: digest.asOf }),
      links: createDigestLinks({ site, mayOpen }, visitor.role, digest),
      site,
      isManager: visitor.role === 'manager',
      unsubscribeUrl,
    }),
  )
  return { content, isEmpty: isEmpty(digest), asOfMs: digest.asOf }
}
