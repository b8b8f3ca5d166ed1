import { counted } from '../../../language/format.ts'
import { isolateText, rich, t } from '../../../language/translate.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { toDaysBefore } from '../../../schemas/metrics/calendar.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { histogramChart } from '../../charts/column-charts.ts'
import {
  exportsOf,
  funnelBlock,
  gradeBlock,
  groupsBlock,
  headlinesBlock,
  trendBlock,
} from '../../blocks/figures.tsx'
import { list } from '../../blocks/list.tsx'
import {
  definePage,
  type AnyPage,
  type Ask,
  type Bare,
  type Block,
  type Read,
  type View,
} from '../../blocks/page.ts'
import { rowsOf } from '../../components/count.tsx'
import { assignmentTable } from '../../components/assignment-table.tsx'
import { fewestToRank } from '../../components/figures/findings.ts'
import { readPace } from '../../components/figures/pace.ts'
import { objectHref, objectPaths, type ObjectKind } from '../../components/group-url.ts'
import { Segments } from '../../components/page-links.tsx'
import { ObjectLinks } from '../../components/people.tsx'
import { mayRemind, readReminded, RemindForm, remindHref, withTicks } from '../../components/remind.tsx'
import { notAmongOwnPeople } from '../../http/problems.ts'
import { allFilters, rowOnly, samePageHref } from '../../scope/follow.ts'
import { oneOf } from '../../scope/page-keys.ts'
import { href, rowsFileHref, withChange, type OwnParams } from '../../scope/page-url.ts'
import { daysTable, pastTable, toDaysBins } from './tables.tsx'
import { daysFinding, objectWords, pastFinding } from './words.ts'

const mostLate = 5
const lateColumns = ['user_name', 'challenge', 'managers', 'teams', 'due_day', 'days_overdue'] as const

/** Weeks, so that weekdays meet their like. */
export const pastDays = [28, 91] as const

/** The same scope as it stood some days before. */
export function earlier(scope: Scope, days: number): Scope {
  return { ...scope, asOf: Math.max(0, toDaysBefore(scope.timeZone, scope.asOf, days)) }
}

const reports = ['direct', 'all'] as const
const sayReports = (which: string) => (which === 'all' ? t('All reports') : t('Direct reports'))
/** Whether a manager's numbers are those of direct reports, or of everyone below. Default: direct. */
export const reportsKey = oneOf(reports, {
  label: 'Whose assignments count',
  words: sayReports,
  isSwitch: true,
})

/** `others`: parameters that change with it. */
export function reportsSwitch({ own, to }: Pick<OneView, 'own' | 'to'>, others: OwnParams = {}) {
  const links = reports.map((which) => ({
    name: sayReports(which),
    href: to({ reports: which === 'all' ? which : null, ...others }),
    isShown: (own.reports === 'all') === (which === 'all'),
  }))
  return <Segments label={t('Whose assignments count')} links={links} keepsPlace />
}

type Keys = { reports: typeof reportsKey }
type OneView = View<Read<typeof readOne>, Keys>

/** One challenge, team or manager: the same skeleton. The id in the path is a filter like any other. */
export function onePage(kind: ObjectKind): AnyPage {
  const words = objectWords[kind]
  return definePage<Read<typeof readOne>, Keys>({
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
    unknown: (c, routes) => notAmongOwnPeople(c, routes, kind === 'manager' ? 'person' : kind),
    crumb: ({ context }) => ({
      href: href(objectPaths[kind], withChange(allFilters(context), { compare: null, period: null })),
      name: t(words.all),
    }),
    below: (view) => (kind === 'manager' ? <Below {...view} /> : null),
    exports: exportsOf,
    // It is known, without an assignment in this scope.
    empty: ({ context, data, own, to }) =>
      data.answer.metrics.assigned.value > 0 ? null : (
        <p class="empty">
          {t('No assignments here.')}{' '}
          {context.params.size === 0 ? null : (
            <a href={samePageHref(context, new URLSearchParams())}>{t('Clear the filters')}</a>
          )}{' '}
          {kind === 'manager' && own.reports !== 'all' ? (
            <a href={to({ reports: 'all' })}>{t('Look at all reports')}</a>
          ) : null}
        </p>
      ),
    blocks: blocksOf(kind),
  })
}

async function readOne(kind: ObjectKind, ask: Ask<Keys>) {
  const { routes, id, scope, previous, context } = ask
  const { queries } = routes
  // Most of the time is the engine's planning, so everything is asked at once.
  const parts = Promise.all([
    kind === 'manager' ? queries.person(id, scope) : null,
    queries.daysToComplete(scope),
    queries.assignments(
      { ...scope, fact: ['overdue'] },
      { order: { by: 'days_late', descending: true }, limit: mostLate, withTotal: false },
    ),
    Promise.all(pastDays.map((days) => queries.metrics(earlier(scope, days)))),
  ])
  parts.catch(() => undefined)
  const overview = await queries.overview(scope, previous)
  const { options, answer } = overview
  const named = { challenge: options.challenges, team: options.teams, manager: options.people }[kind]
  const name = named.find((option) => option.id === id)?.name
  if (name === undefined && answer.metrics.assigned.value === 0) {
    // Whatever the filters and the moment.
    const bare = { ...createScope(scope.now, scope), includeLeavers: true, [kind]: [id] }
    if ((await queries.metrics(bare)).metrics.assigned.value === 0) return null
  }
  const [person, took, { rows: late }, past] = await parts
  const users = late.flatMap(({ user_id }) => user_id ?? [])
  return {
    ...overview,
    name: name || id,
    /** The manager as a person; `null`: not known as one, or no manager. */
    person,
    bins: toDaysBins(took),
    /** The longest overdue. */
    late,
    reminded: await readReminded(routes, users),
    /** Now and earlier, the newest first. */
    standings: [{ as_of: answer.as_of, metrics: answer.metrics }, ...past],
    pace: await readPace(routes, scope, context, answer.metrics),
  }
}

function blocksOf(kind: ObjectKind): (Block<OneView> | Bare<OneView>)[] {
  const parts = kind === 'challenge' ? 'team' : 'challenge'
  return [
    headlinesBlock<OneView>(),
    {
      id: 'late',
      title: 'Who is overdue?',
      finding: ({ data, context: { format } }) => {
        const n = data.answer.metrics.overdue.value
        if (n === 0) return t('No one is overdue.')
        const words = {
          assignments: counted(format, n, 'assignment'),
          n: format.count(data.late.length),
        }
        return n > data.late.length
          ? t('{assignments} overdue. The {n} longest:', words)
          : t('{assignments} overdue.', words)
      },
      defines: ['overdue'],
      tools: ({ data, context }) =>
        data.answer.metrics.overdue.value > 0 && mayRemind(context) ? (
          <a class="pill no-print" href={remindHref(context)}>
            {t('Remind all')}
          </a>
        ) : null,
      list: list<OneView, AssignmentRow>({
        table: ({ data }) =>
          withTicks(assignmentTable(lateColumns.filter((name) => name !== kind)), data.reminded),
        rows: ({ data }) => ({ rows: data.late, total: data.answer.metrics.overdue.value }),
        most: mostLate,
        all: ({ context }) => rowsOf(context, { fact: 'overdue' }) ?? undefined,
        file: ({ rowParams, data }) =>
          rowsFileHref(withChange(rowParams, { fact: 'overdue' }), data.answer.as_of),
      }),
      content: ({ data, context }, { list }) =>
        data.late.length === 0 ? <></> : <RemindForm context={context}>{list}</RemindForm>,
    },
    groupsBlock<OneView>({
      noun: parts,
      title: parts === 'team' ? 'Which teams find it hard?' : 'Which challenges are hard for them?',
      filters: ({ rowParams, context }) => withChange(rowParams, { as_of: context.params.get('as_of') }),
      isWhole: true,
    }),
    {
      id: 'own-past',
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
    funnelBlock<OneView>(),
    {
      id: 'days',
      isHalf: true,
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
      chart: ({ data: { bins }, context: { format } }) =>
        histogramChart(
          bins,
          bins.map(({ from, to }, at) => ({
            percent: (at / bins.length) * 100,
            text: to === null ? `${format.count(from)}+` : format.count(from),
          })),
        ),
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

/** Whom a manager reports to, and whose assignments count. */
function Below(view: OneView) {
  const { context, data, id, rowParams } = view
  const managers = <ObjectLinks context={context} kind="manager" of={data.person?.managers ?? []} />
  return (
    <>
      {data.person === null ? null : (
        <p class="own-managers">
          {data.person.managers.length === 0 ? null : [rich('Reports to {managers}', { managers }), ' · ']}
          <a href={objectHref('learner', id, allFilters(context))}>{t('Own assignments')}</a>
          {' · '}
          <a href={href('/learners', rowParams)}>{t('People')}</a>
        </p>
      )}
      {reportsSwitch(view)}
    </>
  )
}
