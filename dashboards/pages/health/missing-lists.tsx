import { t, type Message } from '../../../language/translate.ts'
import type { MissingList } from '../../../reporting/queries/missing-lists.ts'
import type { PageContext } from '../../page-context.ts'
import { PlainTable, Section } from '../../components/section.tsx'

const words: Record<MissingList['list'], Message> = {
  guides: 'A guide is given by its id.',
  guide_assignments: 'Orders of guides go by POST alone and are not verified.',
  changed_guide_assignments: 'Changes come with the daily pull.',
}

/** Lists that the platform does not have. Nothing where it has all of them. */
export function MissingLists({ context: { format }, lists }: { context: PageContext; lists: MissingList[] }) {
  if (lists.length === 0) return null
  return (
    <Section
      id="lists"
      title={t('Which lists does the platform not offer?')}
      finding={t('{n, plural, one {# list} other {# lists}}, asked for again once a day.', { n: lists.length })}
    >
      <PlainTable
        label={t('Lists that the platform does not offer')}
        head={[t('Path'), t('What follows'), t('Last answered'), t('Last refused')]}
        rows={lists.map(({ list, path, answered_at, refused_at }) => [
          <code>{path}</code>,
          t(words[list]),
          answered_at === null ? t('Never') : format.instant(answered_at),
          format.instant(refused_at),
        ])}
      />
    </Section>
  )
}
