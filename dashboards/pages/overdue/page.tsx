import type { OverdueTable } from './tables.ts'
import type { Overdue } from '../../../reporting/statements/overdue.ts'
import { Figure, type OwnDefinition } from '../../components/figure.tsx'
import { objectPaths } from '../../components/group-url.ts'
import { allFilters } from '../../scope/follow.ts'
import { ScopePage } from '../../components/scope-page.tsx'
import { AgingFigure } from '../../components/figures/share-figures.tsx'
import { counted } from '../../../language/format.ts'
import { momentOf } from '../../components/stamp.tsx'
import { dueFinding, groupFinding, overdueFinding } from './words.ts'
import { rowName } from '../../components/figures/findings.ts'
import { overdueHref, toListParams, type ListOf, type OverdueList } from './links.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { DueDays, GroupTable } from './count-tables.tsx'
import { PeopleList, type PeopleListProps } from './people-list.tsx'
import { t } from '../../../language/translate.ts'
import { Segments } from '../../components/page-links.tsx'

export type OverduePageProps = PeopleListProps & {
  list: OverdueList
  /** The name of the manager of the list, where nobody on it is late; empty: not known. */
  askedName: string
  notices: string[]
}

/** The pages of managers and teams have all. */
const mostGroups = 5

const groupDefinition: OwnDefinition = {
  title: 'Manager, team',
  definition:
    'Direct managers and teams of a person as of the moment, by the reporting lines and groups that the platform sent. Somebody with two ' +
    'managers counts under both, so groups may add up to more than all.',
}
const daysDefinition: OwnDefinition = {
  title: 'Due on a day',
  definition:
    'Assignments in scope whose due day is that calendar day of the due zone: submitted, failed without that, or open (the learner ' +
    'still has to act).',
}

export function OverduePage(props: OverduePageProps) {
  const { context, overdue, listed, list, askedName, notices } = props
  const { format, params, path } = context
  const { answer, aging } = overdue
  const file = (name: OverdueTable, of: ListOf = null) =>
    href(`/overdue/${name}.csv`, withChange(params, { as_of: answer.as_of, compare: null }), toListParams(of))
  return (
    <ScopePage
      context={context}
      title={t('Late§place')}
      question={t('Who is late?')}
      frame={overdue}
      exports={exportLinks(file, overdue)}
      notices={notices}
    >
      <Segments
        label={t('Late or due soon')}
        links={[
          { name: t('Late people'), href: overdueHref(context, answer.as_of, {}), isShown: !list.isDue },
          { name: t('Due soon'), href: overdueHref(context, answer.as_of, { isDue: true }), isShown: list.isDue },
        ]}
      />
      {list.isDue ? (
        <Figure
          id="due-days"
          className="wide"
          title={
            momentOf(answer.as_of, format) === 'now' ? t('Due in the next 14 days') : t('Due in the 14 days from then')
          }
          finding={dueFinding(overdue.due_days, format)}
          defines={['due_soon']}
          also={[daysDefinition]}
          csv={file('due-days')}
        >
          <DueDays context={context} overdue={overdue} />
        </Figure>
      ) : (
        <>
          <Figure
            id="people"
            className="wide"
            title={
              list.of === null
                ? t('Who needs a reminder?')
                : t('Who needs a reminder: {name}', {
                    name: rowName(listed.groups[0]?.group ?? { id: list.of, name: askedName }, 'manager'),
                  })
            }
            finding={peopleFinding(overdue, list.of, listed, format)}
            defines={['overdue']}
            also={[groupDefinition]}
            csv={file('people', list.of)}
            tools={
              <a class="pill" href={overdueHref(context, answer.as_of, { path: '/overdue/print', list: list.of })}>
                {t('Print all lists')}
              </a>
            }
          >
            {list.of === null ? null : (
              <p class="more">
                <a href={`${overdueHref(context, answer.as_of, {})}#people`}>{t('Everybody who is late')}</a>
              </p>
            )}
            <PeopleList {...props} />
            {listed.next === null ? null : (
              <p class="more">
                <a
                  href={`${overdueHref(context, answer.as_of, { list: list.of, after: listed.next })}#people`}
                  rel="next"
                >
                  {list.of === null ? t('Next managers') : t('More people')}
                </a>
              </p>
            )}
          </Figure>
          <div class="pair">
            {(['manager', 'team'] as const).map((noun) => (
              <GroupFigure context={context} overdue={overdue} noun={noun} csv={file(`by-${noun}`)} />
            ))}
          </div>
          <AgingFigure
            context={context}
            aging={aging}
            overdue={overdue.overdue}
            csv={file('aging')}
            className="wide"
            linkTo={(narrow) => href(path, withChange(allFilters(context), { ...narrow, compare: null }))}
          />
        </>
      )}
    </ScopePage>
  )
}

type GroupFigureProps = Pick<PeopleListProps, 'context' | 'overdue'> & { noun: 'manager' | 'team'; csv: string }

function GroupFigure({ context, overdue, noun, csv }: GroupFigureProps) {
  const groups = overdue[`by_${noun}`]
  // Those without a manager or a team have a line, and are none.
  const n = groups.filter(({ id }) => id !== '').length
  return (
    <Figure
      id={`by-${noun}`}
      title={noun === 'manager' ? t('Which managers have late people?') : t('Which teams are late?')}
      finding={groupFinding(groups, overdue.overdue, noun, context.format)}
      defines={['overdue']}
      also={[groupDefinition]}
      csv={csv}
    >
      {groups.length === 0 ? null : (
        <GroupTable context={context} overdue={overdue} noun={noun} groups={groups.slice(0, mostGroups)} />
      )}
      {groups.length <= mostGroups ? null : (
        <p class="more">
          <a href={href(objectPaths[noun], allFilters(context), { sort: '-overdue' })}>
            {t('Show all {things}', { things: counted(context.format, n, noun) })}
          </a>
        </p>
      )}
    </Figure>
  )
}

function peopleFinding(
  overdue: Overdue,
  of: string | null,
  { groups, groupCount }: PeopleListProps['listed'],
  format: PeopleListProps['context']['format'],
) {
  if (overdue.people.length === 0) return t('Nobody is overdue.')
  if (of !== null && groups[0] === undefined) return t('Nobody is overdue in this list.')
  if (groupCount <= 1 && groups[0] !== undefined)
    return t('{persons}, the longest overdue first.', {
      persons: counted(format, groups[0].group.people.length, 'person'),
    })
  return `${overdueFinding(overdue, format)} ${t('Grouped by manager, most overdue first.')}`
}

function exportLinks(file: (name: OverdueTable) => string, overdue: Overdue) {
  const people = overdue.people.length
  return [
    { name: t('{n, plural, one {# late person} other {# late people}}', { n: people }), href: file('people') },
    { name: t('Managers'), href: file('by-manager') },
    { name: t('Teams'), href: file('by-team') },
    { name: t('Days overdue'), href: file('aging') },
    { name: t('Due days'), href: file('due-days') },
  ]
}
