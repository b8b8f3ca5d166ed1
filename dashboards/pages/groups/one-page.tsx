import { allFilters, samePageHref } from '../../scope/follow.ts'
import { isolateText, type Message, rich, t } from '../../../language/translate.ts'
import { ScopePage } from '../../components/scope-page.tsx'
import { ObjectLinks } from '../../components/people.tsx'
import { comparisonWords } from '../../components/figures/comparisons.ts'
import { filterChips } from '../../scope/filter-words.ts'
import { counted } from '../../../language/format.ts'
import { objectHref, type ObjectKind, objectPaths } from '../../components/group-url.ts'
import { href, rowsFileHref, withChange } from '../../scope/page-url.ts'
import type { BlockHref } from '../../components/figures/figures.tsx'
import { OneBlocks, type OnePageProps } from './one-blocks.tsx'
import { objectWords } from './words.ts'
import { Segments } from '../../components/page-links.tsx'

const titles = {
  challenge: '{name}, challenge',
  team: '{name}, team',
  manager: '{name}, manager',
} as const satisfies Record<ObjectKind, Message>

/** One challenge, team or manager: the same skeleton. */
export function OnePage(props: OnePageProps) {
  const { context, kind, name, overview, notices, blocks, reports } = props
  const { format, path, params } = context
  const words = objectWords[kind]
  const chips = filterChips(params, overview.options, format)
  const compared = comparisonWords(overview, format)
  return (
    <ScopePage
      context={context}
      title={t(titles[kind], { name })}
      question={isolateText(name)}
      crumb={
        <p class="crumb">
          <a href={href(objectPaths[kind], withChange(allFilters(context), { compare: null, period: null }))}>
            {t(words.all)}
          </a>
        </p>
      }
      below={
        <>
          <OwnManagers {...props} />
          <OwnPeople {...props} />
        </>
      }
      frame={overview}
      comparable
      exports={exportLinks(props)}
      printed={`${[`${t(words.noun)} ${isolateText(name)}`, ...chips.map(({ label, value }) => `${label} ${value}`)].join('; ')}.`}
      notices={notices}
    >
      {kind === 'manager' ? <ReportsSwitch {...props} /> : null}
      {compared === null || blocks === null ? null : <p class="compared">{compared.sentence}</p>}
      {blocks === null ? (
        <p class="empty">
          {t(words.empty)}{' '}
          {chips.length === 0 ? null : (
            <a href={samePageHref(context, new URLSearchParams())}>{t('Clear the filters')}</a>
          )}{' '}
          {kind === 'manager' && reports === 'direct' ? (
            <a href={`${path}?reports=all`}>{t('Look at all reports')}</a>
          ) : null}{' '}
          <a href={objectPaths[kind]}>{t(words.allOf)}</a>
        </p>
      ) : (
        <OneBlocks {...props} blocks={blocks} block={toBlockHref(props)} />
      )}
    </ScopePage>
  )
}

/** Whom a manager reports to, and where the manager's own assignments are. */
function OwnManagers({ context, id, person }: OnePageProps) {
  if (person === null) return null
  const { managers } = person
  return (
    <p class="own-managers">
      {managers.length === 0 ? null : (
        <>
          {rich('Reports to {managers}', {
            managers: <ObjectLinks context={context} kind="manager" of={managers} />,
          })}
          {' · '}
        </>
      )}
      <a href={objectHref('learner', id, allFilters(context))}>{t('Own assignments')}</a>
    </p>
  )
}

/** For readers who see some people only: how many of these the page is about. */
function OwnPeople({ context: { visitor, sees, format }, overview }: OnePageProps) {
  if (visitor === undefined || visitor.audience.people === 'all' || sees === undefined) return null
  const n = format.count(overview.answer.metrics.people_fully_complete.denominator)
  return <p class="quiet">{t('{n} of {all} people have assignments here.', { n, all: format.count(sees) })}</p>
}

/** Direct reports first, then all. */
function ReportsSwitch({ context, reports }: OnePageProps) {
  const { path } = context
  const free = withChange(allFilters(context), { manager_depth: null })
  return (
    <Segments
      label={t('Whose assignments count')}
      links={[
        { name: t('Their direct reports'), href: href(path, free), isShown: reports === 'direct' },
        { name: t('All their reports'), href: href(path, free, { reports: 'all' }), isShown: reports === 'all' },
      ]}
    />
  )
}

function toBlockHref({ rowParams, overview: { answer } }: OnePageProps): BlockHref {
  const scope = withChange(rowParams, { as_of: answer.as_of })
  return (name) => href(`/overview/${name}.csv`, scope)
}

function exportLinks(props: OnePageProps) {
  const { rowParams, overview, context, blocks } = props
  const { as_of: asOf, metrics } = overview.answer
  const block = toBlockHref(props)
  const rows = counted(context.format, metrics.assigned.value, 'assignment')
  const files = [
    { name: rows, href: rowsFileHref(rowParams, asOf, 'csv') },
    { name: t('All numbers'), href: href('/api/metrics', withChange(rowParams, { as_of: asOf })) },
  ]
  if (blocks === null) return files
  return [
    ...files,
    { name: t('Trend'), href: block('trend') },
    { name: t('Teams'), href: block('by-team') },
    { name: t('Challenges'), href: block('by-challenge') },
  ]
}
