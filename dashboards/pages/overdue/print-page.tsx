import { Layout } from '../../components/layout.tsx'
import { Stamp } from '../../components/stamp.tsx'
import { filtersInWords } from '../../scope/filter-words.ts'
import { Icon } from '../../components/icon.tsx'
import { daysLate } from './words.ts'
import { rowName } from '../../components/figures/findings.ts'
import { overdueHref } from './links.ts'
import type { OverduePageProps } from './page.tsx'
import { PeopleTable } from './people-list.tsx'
import { t } from '../../../language/translate.ts'
import { Notices } from '../../components/messages.tsx'

/** A sheet of paper for each manager: whose it is, of which moment, filtered by what, and the late people. */
export function OverduePrintPage(props: OverduePageProps) {
  const { context, overdue, listed, list, notices } = props
  const { format } = context
  const { answer } = overdue
  return (
    <Layout context={context} title={t('Overdue, a page for each manager')} sample={overdue.freshness.sample}>
      <div class="page-head no-print">
        <div>
          <h1>{t('Overdue, a page for each manager')}</h1>
          <Stamp context={context} overview={overdue} />
        </div>
        <div class="steps">
          <button type="button" class="pill needs-script" data-print hidden>
            <Icon name="print" />
            {t('Print {n, plural, one {# page} other {# pages}}', { n: listed.groups.length })}
          </button>
          <a class="pill" href={overdueHref(context, answer.as_of, { list: list.of })}>
            {t('Back to Late')}
          </a>
          {listed.next === null ? null : (
            <a
              class="pill"
              rel="next"
              href={overdueHref(context, answer.as_of, { path: '/overdue/print', list: list.of, after: listed.next })}
            >
              {list.of === null ? t('Next managers') : t('Next people')}
            </a>
          )}
        </div>
      </div>
      <Notices notices={notices} />
      {listed.groups.length === 0 ? <p class="empty">{t('Nobody is overdue in this list.')}</p> : null}
      {listed.groups.map(({ group, shown }, index) => (
        <section class="sheet" aria-labelledby={`sheet-${index}`}>
          <h2 id={`sheet-${index}`}>{rowName(group, 'manager')}</h2>
          <p class="finding">
            {t(
              group.id === ''
                ? '{n, plural, one {# overdue assignment} other {# overdue assignments}} of {people, plural, one {# person} other {# people}} without a known manager; the longest {days}.'
                : '{n, plural, one {# overdue assignment} other {# overdue assignments}} of {people, plural, one {# person who reports} other {# people who report}} to this manager; the longest {days}.',
              { n: group.overdue, people: group.people.length, days: daysLate(group.most_days, format) },
            )}
            {shown.length < group.people.length ? t(' These are {n} of them.', { n: format.count(shown.length) }) : ''}
          </p>
          <p class="sheet-scope">
            {t('As of {moment} {zones}.', { moment: format.instant(answer.as_of), zones: answer.time_zone })}{' '}
            {filtersInWords(context.params, context.format, overdue.options)}
            {overdue.freshness.sample ? t(' Sample data.') : ''}
          </p>
          <PeopleTable {...props} group={group} people={shown} reminded={undefined} />
        </section>
      ))}
    </Layout>
  )
}
