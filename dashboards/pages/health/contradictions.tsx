import { rich, t } from '../../../language/translate.ts'
import type { Contradictions as Found } from '../../../reporting/queries/contradictions.ts'
import type { PageContext } from '../../page-context.ts'
import { PlainTable, Section } from '../../components/section.tsx'

type ContradictionsProps = { context: PageContext; contradictions: Found }

/** What the platform says twice, and differently. */
export function Contradictions({ context: { format }, contradictions: { total, lines } }: ContradictionsProps) {
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
              sql: <code>{`SELECT * FROM rollcall.events WHERE has(contradictions, '${lines[0]?.name ?? ''}')`}</code>,
            })}
          </p>
        </>
      )}
    </Section>
  )
}
