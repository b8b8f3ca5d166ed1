import type { Context } from 'hono'
import { counted } from '../../../language/format.ts'
import { isolateText, rich, t } from '../../../language/translate.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import type { Reports } from '../../../reporting/statements/groups.ts'
import type { Person } from '../../../reporting/statements/learners.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { funnelBlock, gradeBlock, groupsBlock, trendBlock } from '../../blocks/figures.tsx'
import { list } from '../../blocks/list.tsx'
import { definePage, type AnyPage, type Ask, type Bare, type Block, type View } from '../../blocks/page.ts'
import { comparisonWords } from '../../components/figures/comparisons.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { Headlines } from '../../components/figures/headlines.tsx'
import { readPace } from '../../components/figures/pace.ts'
import { objectHref, objectPaths, type ObjectKind } from '../../components/group-url.ts'
import { Segments } from '../../components/page-links.tsx'
import { ObjectLinks } from '../../components/people.tsx'
import { ProblemPage } from '../../components/plain-page.tsx'
import { readReminded, type Reminded } from '../../components/remind.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { notAmongOwnPeople } from '../../http/problems.ts'
import { filterChips } from '../../scope/filter-words.ts'
import { allFilters, rowOnly, samePageHref } from '../../scope/follow.ts'
import { href, rowsFileHref, withChange } from '../../scope/page-url.ts'
import { daysChart, daysFinding, daysTable, toDaysBins, type DaysBin } from './days.tsx'
import { lateBlock, mostLate, type Late } from './late.tsx'
import { linesTable } from './lines-table.tsx'
import { earlier, pastDays, pastFinding, pastTable, reportsKey, type Standing } from './own-past.tsx'
import { objectWords } from './words.ts'

type Keys = { reports: typeof reportsKey }
type Data = Overview & {
  name: string
  /** The manager as a person; `null`: not known as one, or no manager. */
  person: Person | null
  bins: DaysBin[]
  late: Late
  /** Reports; of managers only. */
  below: Reports | null
  /** Now and earlier, the newest first. */
  standings: Standing[]
  pace: { pace?: string }
}
type OneView = View<Data, Keys>

/** One challenge, team or manager: the same skeleton. The id in the path is a filter like any other. */
export function onePage(kind: ObjectKind): AnyPage {
  const words = objectWords[kind]
  return definePage<Data, Keys>({
    path: `${objectPaths[kind]}/:id`,
    title: ({ data: { name } }) => t(words.title as '{name}, team', { name }),
    question: ({ data: { name } }) => isolateText(name),
    keys: {
      own: (kind === 'manager' ? { reports: reportsKey } : {}) as Keys,
      ignored: rowOnly,
      compares: true,
    },
    fixed: (id, { reports }) =>
      kind === 'manager' ? { manager: id, manager_depth: reports === 'all' ? null : '1' } : { [kind]: id },
    read: (ask) => readOne(kind, ask),
    unknown: (c, routes, id) => unknownObject(c, routes, kind, id),
    crumb: ({ context }) => (
      <p class="crumb">
        <a href={href(objectPaths[kind], withChange(allFilters(context), { compare: null, period: null }))}>
          {t(words.all)}
        </a>
      </p>
    ),
    below: (view) => <Below kind={kind} view={view} />,
    exports: ({ context: { format }, data: { answer }, rowParams }) => [
      {
        name: counted(format, answer.metrics.assigned.value, 'assignment'),
        href: rowsFileHref(rowParams, answer.as_of),
      },
      { name: t('All numbers'), href: href('/api/metrics', withChange(rowParams, { as_of: answer.as_of })) },
    ],
    printed: ({ context, data: { name, options } }) => {
      const filters = filterChips(context.params, options, context.format).map(
        ({ label, value }) => `${label} ${value}`,
      )
      return `${[`${t(words.noun)} ${isolateText(name)}`, ...filters].join('; ')}.`
    },
    empty: (view) =>
      view.data.answer.metrics.assigned.value === 0 ? <Nothing kind={kind} view={view} /> : null,
    blocks: blocksOf(kind),
  })
}

async function readOne(kind: ObjectKind, ask: Ask<Keys>): Promise<Data | null> {
  const { routes, id, scope, previous, context } = ask
  const { queries } = routes
  const isManager = kind === 'manager'
  // Most of the time is the engine's planning, so everything is asked at once.
  const parts = Promise.all([
    isManager ? queries.person(id, scope) : null,
    queries.daysToComplete(scope),
    queries.assignments(
      { ...scope, fact: ['overdue'] },
      { order: { by: 'days_late', descending: true }, limit: mostLate, withTotal: false },
    ),
    isManager ? queries.reports(scope, id) : null,
    Promise.all(pastDays.map((days) => queries.metrics(earlier(scope, days)))),
  ])
  parts.catch(() => undefined)
  const overview = await queries.overview(scope, previous)
  const { options, answer } = overview
  const named = { challenge: options.challenges, team: options.teams, manager: options.people }[kind]
  const name = named.find((option) => option.id === id)?.name
  if (name === undefined && answer.metrics.assigned.value === 0 && !(await isKnown(routes, scope, kind, id)))
    return null
  const [person, took, { rows }, below, past] = await parts
  const ids = rows.flatMap(({ user_id }) => user_id ?? [])
  const reminded: ReadonlyMap<string, Reminded> = await readReminded(routes, ids)
  return {
    ...overview,
    name: name || id,
    person,
    bins: toDaysBins(took),
    late: { rows, reminded },
    below,
    standings: [{ as_of: answer.as_of, metrics: answer.metrics }, ...past],
    pace: await readPace(routes, scope, context, answer.metrics),
  }
}

/** Whether anything was ever assigned there, whatever the filters and the moment. */
async function isKnown(
  { queries }: RouteContext,
  scope: Scope,
  kind: ObjectKind,
  id: string,
): Promise<boolean> {
  const bare = { ...createScope(scope.now, scope), includeLeavers: true, [kind]: [id] }
  const { metrics } = await queries.metrics(bare)
  return metrics.assigned.value > 0
}

function unknownObject(c: Context, routes: RouteContext, kind: ObjectKind, id: string) {
  const refusal = notAmongOwnPeople(c, routes, kind === 'manager' ? 'person' : kind)
  if (refusal !== undefined) return refusal
  const { noSuch, allOf, unknown } = objectWords[kind]
  c.status(404)
  return c.html(
    ProblemPage({
      context: pageContext(c, routes),
      title: t(noSuch as 'There is no team “{id}”', { id }),
      explanation: `${t(unknown)} ${t('It may be mistyped, or from another platform.')}`,
      retry: { href: objectPaths[kind], name: t(allOf) },
    }),
  )
}

function blocksOf(kind: ObjectKind): (Block<OneView> | Bare<OneView>)[] {
  const parts = kind === 'challenge' ? 'team' : 'challenge'
  return [
    {
      id: 'headlines',
      bare: ({ context, data, rowParams }) => {
        const compared = comparisonWords(data, context.format)
        return (
          <>
            {compared === null ? null : <p class="compared">{compared.sentence}</p>}
            <Headlines context={{ ...context, ...data.pace }} overview={data} rowParams={rowParams} />
          </>
        )
      },
    },
    lateBlock<OneView>(kind),
    groupsBlock<OneView>({
      noun: parts,
      title: parts === 'team' ? 'Which teams find it hard?' : 'Which challenges are hard for them?',
      filters: ({ rowParams, context }) => withChange(rowParams, { as_of: context.params.get('as_of') }),
      isWhole: true,
    }),
    {
      id: 'own-past',
      wide: true,
      title: 'Is it getting better?',
      finding: ({ data, context }) => pastFinding(data.standings, context.format),
      defines: ['completion_rate', 'on_time_rate', 'time_to_complete', 'grade'],
      list: list({
        table: ({ rowParams }) => pastTable(rowParams),
        rows: ({ data }) => data.standings,
        narrowedBy: ['reports'],
      }),
    },
    trendBlock<OneView>(),
    ...(kind === 'manager' ? reportBlocks : []),
    funnelBlock<OneView>(),
    {
      id: 'days',
      title: 'How long does it take?',
      finding: ({ data, context }) => daysFinding(data.answer.metrics.time_to_complete, context.format),
      defines: ['time_to_complete'],
      sql: 'time_to_complete',
      folded: true,
      list: list({
        table: ({ data, context }) => daysTable(data.answer.metrics.time_to_complete, context.format),
        rows: ({ data }) => data.bins,
        narrowedBy: ['reports'],
      }),
      chart: ({ data, context }) => daysChart(data.bins, context.format),
      plot: ({ data, context }) => ({
        endLabels: false,
        label: t('Columns by days to complete. {finding}', {
          finding: daysFinding(data.answer.metrics.time_to_complete, context.format),
        }),
      }),
      empty: ({ data }) => (data.bins.length === 0 ? t('Nothing completed yet.') : null),
      content: ({ data }, { plot }) => (
        <div class={data.answer.metrics.time_to_complete.n < fewestToRank ? 'few' : undefined}>{plot}</div>
      ),
    },
    // The past of a team or a manager has its grade.
    ...(kind === 'challenge' ? [gradeBlock<OneView>()] : []),
  ]
}

/** A manager's direct reports: what each has to do, and what those have below them who lead. */
const reportBlocks: Block<OneView>[] = [
  {
    id: 'direct-reports',
    title: 'Direct reports',
    wide: true,
    folded: true,
    finding: ({ data: { below }, context: { format } }) =>
      t('{reports} with assignments, most overdue first.', {
        reports: counted(format, below?.people.length ?? 0, 'direct report'),
      }),
    defines: ['on_time_rate', 'completion_rate'],
    list: list({
      table: ({ data }) => {
        const leads = new Set(data.below?.managers.map(({ id }) => id))
        return linesTable({
          kind: 'user',
          head: t('Person'),
          label: 'Direct reports',
          narrow: ({ id }) => ({ user: id }),
          href: ({ id }, context) =>
            objectHref(leads.has(id) ? 'manager' : 'learner', id, allFilters(context)),
          whole: data.answer.metrics.on_time_rate.value,
          order: '-overdue',
        })
      },
      rows: ({ data }) => data.below?.people ?? [],
      empty: () => t('No one here has an assignment.'),
      narrowedBy: ['reports'],
    }),
  },
  {
    id: 'groups-below',
    title: 'Teams below',
    wide: true,
    folded: true,
    isShown: ({ data }) => (data.below?.managers.length ?? 0) > 0,
    finding: ({ data: { below }, context: { format } }) =>
      t('{reports} {n, plural, one {leads} other {lead}} others.', {
        reports: counted(format, below?.managers.length ?? 0, 'direct report'),
        n: below?.managers.length ?? 0,
      }),
    defines: ['on_time_rate', 'completion_rate'],
    list: list({
      table: ({ data, context }) =>
        linesTable({
          kind: 'manager',
          head: t('Led by'),
          label: 'Teams below',
          narrow: ({ id }) => ({ manager: id }),
          rowsIn: context.rows && {
            ...context.rows,
            params: withChange(context.rows.params, { manager: null, manager_depth: null }),
          },
          href: ({ id }, context) => objectHref('manager', id, allFilters(context)),
          whole: data.answer.metrics.on_time_rate.value,
          order: '-overdue',
          hasPeople: true,
        }),
      rows: ({ data }) => data.below?.managers ?? [],
      narrowedBy: ['reports'],
    }),
  },
]

/** Whom a manager reports to, whose assignments count, and how many of the reader's people the page is about. */
function Below({ kind, view }: { kind: ObjectKind; view: OneView }) {
  const { context, data, id, own } = view
  const { visitor, sees, format } = context
  const { person, answer } = data
  return (
    <>
      {person === null ? null : (
        <p class="own-managers">
          {person.managers.length === 0 ? null : (
            <>
              {rich('Reports to {managers}', {
                managers: <ObjectLinks context={context} kind="manager" of={person.managers} />,
              })}
              {' · '}
            </>
          )}
          <a href={objectHref('learner', id, allFilters(context))}>{t('Own assignments')}</a>
        </p>
      )}
      {visitor.audience.people === 'all' || sees === undefined ? null : (
        <p class="quiet">
          {t('{n} of your {all} people have assignments here.', {
            n: format.count(answer.metrics.people_fully_complete.denominator),
            all: format.count(sees),
          })}
        </p>
      )}
      {kind === 'manager' ? (
        <Segments
          label={t('Whose assignments count')}
          links={[
            { name: t('Direct reports'), href: view.to({ reports: null }), isShown: own.reports !== 'all' },
            { name: t('All reports'), href: view.to({ reports: 'all' }), isShown: own.reports === 'all' },
          ]}
        />
      ) : null}
    </>
  )
}

/** A thing that is known, without an assignment in this scope. */
function Nothing({ kind, view: { context, data, own, to } }: { kind: ObjectKind; view: OneView }) {
  const hasFilters = filterChips(context.params, data.options, context.format).length > 0
  return (
    <p class="empty">
      {t('No assignments here.')}{' '}
      {hasFilters ? (
        <a href={samePageHref(context, new URLSearchParams())}>{t('Clear the filters')}</a>
      ) : null}{' '}
      {kind === 'manager' && own.reports !== 'all' ? (
        <a href={to({ reports: 'all' })}>{t('Look at all reports')}</a>
      ) : null}{' '}
      <a href={objectPaths[kind]}>{t(objectWords[kind].allOf)}</a>
    </p>
  )
}
