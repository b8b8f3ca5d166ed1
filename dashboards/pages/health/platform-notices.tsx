import { t, type Message } from '../../../language/translate.ts'
import type { PlatformNotice } from '../../../reporting/queries/platform-notices.ts'
import type { PageContext } from '../../page-context.ts'
import { PlainTable, Section } from '../../components/section.tsx'

const headerWords: Record<PlatformNotice['header'], Message> = {
  deprecation: 'Deprecated',
  sunset: 'Ends',
}

/** Endpoints that the platform will end. Nothing where it announces none. */
export function PlatformNotices({ context: { format }, notices }: { context: PageContext; notices: PlatformNotice[] }) {
  if (notices.length === 0) return null
  return (
    <Section
      id="notices"
      title={t('Does the platform announce an end?')}
      finding={t(
        '{n, plural, one {# announcement} other {# announcements}} in the platform’s answers. Ask its support what replaces these paths; PLATFORM_PATHS moves them.',
        { n: notices.length },
      )}
    >
      <PlainTable
        label={t('Announcements of the platform')}
        head={[t('Path'), t('Announcement'), t('When'), t('First seen'), t('Last seen')]}
        rows={notices.map(({ path, header, value, at, first_seen, last_seen }) => [
          <code>{path}</code>,
          t(headerWords[header]),
          at === null ? <code>{value}</code> : <time datetime={at}>{format.instant(at)}</time>,
          format.instant(first_seen),
          format.instant(last_seen),
        ])}
      />
    </Section>
  )
}
