/** The platform's facts on itself: where it contradicts itself, and which lists it does not have. */
import { type Message, rich, t } from '../../../language/translate.ts'
import type { MissingList } from '../../../reporting/queries/health.ts'
import type { Contradictions as Found } from '../../../reporting/queries/platform.ts'
import type { PageContext } from '../../page-context.ts'
import { PlainTable, Section } from '../../components/section.tsx'

type ContradictionsProps = { context: PageContext; contradictions: Found }

/** Facts that the platform says twice, and differently. */
export function Contradictions({
  context: { format },
  contradictions: { total, lines },
}: ContradictionsProps) {
  return (
    <Section
      id="contradictions"
      title={t('Does the platform contradict itself?')}
      finding={
        total === 0
          ? t('No delivery contradicts itself.')
          : t(
              '{n, plural, one {# delivery contradicts itself} other {# deliveries contradict themselves}}. That changes no number.',
              { n: total },
            )
      }
    >
      {total === 0 ? null : (
        <>
          <PlainTable
            label={t('Contradictions')}
            head={[t('Contradiction'), t('First seen'), t('Last seen'), t('Deliveries')]}
            numbers={1}
            rows={lines.map(({ name, text, events, first_seen, last_seen }) => [
              <>
                {t(text)}
                <span class="reason">
                  <code>{name}</code>
                </span>
              </>,
              format.instant(first_seen),
              format.instant(last_seen),
              format.count(events),
            ])}
          />
          <p class="quiet">
            {rich('The deliveries: {sql}', {
              sql: (
                <code>{`SELECT * FROM rollcall.events WHERE has(contradictions, '${lines[0]?.name ?? ''}')`}</code>
              ),
            })}
          </p>
        </>
      )}
    </Section>
  )
}

const listWords: Record<MissingList['list'], Message> = {
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
      finding={t('{n, plural, one {# list} other {# lists}}, asked for again once a day.', {
        n: lists.length,
      })}
    >
      <PlainTable
        label={t('Lists that the platform does not offer')}
        head={[t('Path'), t('What follows'), t('Last answered'), t('Last refused')]}
        rows={lists.map(({ list, path, answered_at, refused_at }) => [
          <code>{path}</code>,
          t(listWords[list]),
          answered_at === null ? t('Never') : format.instant(answered_at),
          format.instant(refused_at),
        ])}
      />
    </Section>
  )
}
