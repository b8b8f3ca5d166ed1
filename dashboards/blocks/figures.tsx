/** The figures that Home and the pages of one group share. */
import { counted } from '../../language/format.ts'
import { t, type Message } from '../../language/translate.ts'
import type { Overview, RankingRow } from '../../reporting/metrics/overview.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import { cohortChart, fewestForHistogram, gradeChart } from '../charts/column-charts.ts'
import { trendChart } from '../charts/lines-chart.ts'
import { comparisonWords, targetOf, targetWords } from '../components/figures/comparisons.ts'
import {
  cohortFinding,
  funnelFinding,
  gradeFinding,
  rank,
  rankingFinding,
  rowName,
  stageName,
  trendFinding,
} from '../components/figures/findings.ts'
import { Headlines } from '../components/figures/headlines.tsx'
import { endsRunning, periodName, PeriodSwitch } from '../components/figures/periods.tsx'
import { groupsTable } from '../components/group-table.tsx'
import { objectHref, objectPaths, withoutTeamHref } from '../components/group-url.ts'
import { SetupLink } from '../components/messages.tsx'
import { notesOn } from '../components/plot.tsx'
import { unfinishedWords } from '../components/stamp.tsx'
import { column, inFile, shareOf, type Table } from '../components/table.tsx'
import { href, rowsFileHref, withChange } from '../scope/page-url.ts'
import type { OwnKeys } from '../scope/page-keys.ts'
import { list } from './list.tsx'
import type { Bare, Block, View } from './page.ts'

type FigureView = View<Overview, OwnKeys>
type Trend = Metrics['trend'][number]
type Cohort = Overview['due_cohorts'][number]

/** The files of all numbers, and of the rows behind them. */
export const exportsOf = ({ context, rowParams, data: { answer } }: FigureView) => [
  {
    name: counted(context.format, answer.metrics.assigned.value, 'assignment'),
    href: rowsFileHref(rowParams, answer.as_of),
  },
  { name: t('All numbers'), href: href('/api/metrics', withChange(rowParams, { as_of: answer.as_of })) },
]

export const headlinesBlock = <
  V extends View<Overview & { pace: { pace?: string } }, OwnKeys>,
>(): Bare<V> => ({
  id: 'headlines',
  bare: ({ context, data, rowParams }) => (
    <>
      <p class="compared">{comparisonWords(data, context.format)}</p>
      <Headlines context={{ ...context, ...data.pace }} overview={data} rowParams={rowParams} />
    </>
  ),
})

/** Why there is nothing, and the likely cause. */
const empty = (words: string, { context }: FigureView) => (
  <>
    {words} <SetupLink context={context} />
  </>
)

const isRunning = ({ data: { answer } }: FigureView) =>
  endsRunning(answer.metrics.trend, answer, answer.period)

const trendWords = ({ data: { answer }, context }: FigureView) =>
  trendFinding(answer.metrics.trend, answer.period, context.format)

function trendTable(view: FigureView): Table<Trend> {
  const { context, data } = view
  const { as_of, period, metrics } = data.answer
  const last = isRunning(view) ? metrics.trend.at(-1) : undefined
  const line = (key: Exclude<keyof Trend, 'period_start'>, head: Message) =>
    column<Trend>('count', key, head, (row) => row[key], {
      rows: (row) => ({ metric: 'trend', part: `${row.period_start}.${key}` }),
    })
  return {
    label: 'Assigned, completed, graded and overdue per period',
    nameOf: (row) =>
      `${periodName(row.period_start, period, context, true)}${row === last ? unfinishedWords(as_of, context.format) : ''}`,
    narrow: () => ({}),
    columns: [
      column('day', 'period_start', 'Period'),
      line('assigned', 'Assigned'),
      line('completed', 'Completed'),
      line('graded', 'Graded'),
      line('became_overdue', 'Became overdue'),
      line('overdue_at_end', 'Overdue'),
    ],
  }
}

export const trendBlock = <V extends FigureView>(): Block<V> => ({
  id: 'trend',
  title: 'Are we keeping up?',
  finding: trendWords,
  defines: ['trend'],
  sql: 'trend',
  tools: ({ context, data }) => <PeriodSwitch context={context} period={data.answer.period} />,
  list: list({ table: trendTable, rows: ({ data }) => data.answer.metrics.trend, narrowedBy: ['reports'] }),
  chart(view) {
    const { context, data } = view
    const { metrics, period } = data.answer
    const words = {
      count: context.format.count,
      period: (start: string) => periodName(start, period, context),
    }
    return trendChart(metrics.trend, words, isRunning(view))
  },
  plot: ({ context, data: { answer, options } }) => ({
    notes: notesOn(context, options.teams, answer.metrics.trend, answer.period),
  }),
  empty: (view) =>
    view.data.answer.metrics.trend.length > 0 ? null : empty(t('No period in this scope.'), view),
})

const today = ({ data: { answer } }: FigureView) => toLocalDate(answer.time_zone, Date.parse(answer.as_of))

function cohortTable(view: FigureView): Table<Cohort> {
  const { context, data } = view
  const week = (key: 'on_time' | 'late' | 'open', head: Message) =>
    column<Cohort>('count', key, head, (row) => row[key], {
      rows: ({ period_start }) => ({
        due_from: period_start,
        due_to: addDays(period_start, 6),
        metric: 'on_time_rate',
        part: `fell_due.${key}`,
      }),
    })
  const isUnfinished = ({ period_start: start }: Cohort) =>
    start <= today(view) && today(view) < addDays(start, 7)
  return {
    label: 'Assignments by the week of their due day',
    nameOf: (row) =>
      `${t('Week of {start}', { start: context.format.day(row.period_start) })}${isUnfinished(row) ? unfinishedWords(data.answer.as_of, context.format) : ''}`,
    narrow: () => ({}),
    columns: [
      column('day', 'period_start', 'Week due'),
      week('on_time', 'On time'),
      week('late', 'Completed late'),
      week('open', 'Open'),
      column(
        'percent',
        'on_time_rate',
        'On time, share',
        ({ on_time, late }) => (on_time + late === 0 ? null : on_time / (on_time + late)),
        { only: 'page' },
      ),
    ],
  }
}

const cohortWords = (view: FigureView) =>
  cohortFinding(view.data.due_cohorts, today(view), view.context.format)

export const cohortBlock = <V extends FigureView>(): Block<V> => ({
  id: 'due-cohorts',
  title: 'Is work completed by its due date?',
  finding: cohortWords,
  defines: ['on_time_rate'],
  sql: 'on_time_rate',
  list: list({ table: cohortTable, rows: ({ data }) => data.due_cohorts }),
  chart: (view) =>
    cohortChart(
      view.data.due_cohorts,
      view.context.format,
      today(view),
      targetOf(view.context, 'on_time_rate'),
    ),
  plot: (view) => ({
    label: t('Stacked columns by week due. {finding}', { finding: cohortWords(view) }),
    endLabels: false,
    target: targetWords(view.context, 'on_time_rate'),
    notes: notesOn(view.context, view.data.options.teams, view.data.due_cohorts, 'week'),
  }),
  empty: (view) =>
    view.data.due_cohorts.length > 0 ? null : empty(t('Nothing in this scope has a due date.'), view),
})

type Bin = Metrics['grade']['histogram'][number]

const gradeTable = ({ n }: Metrics['grade']): Table<Bin> => ({
  label: 'Grades in ten bins',
  nameOf: ({ from, to }) =>
    to === 100 ? t('{from} to {to}', { from, to }) : t('{from} to under {to}', { from, to }),
  narrow: () => ({}),
  columns: [
    column('count', 'from', 'Grade'),
    inFile('count', 'to', 'To'),
    column('count', 'count', 'Count', { rows: ({ from }) => ({ metric: 'grade', part: `bin.${from}` }) }),
    shareOf(n, ({ count }) => count),
  ],
})

const gradeWords = ({ data: { answer }, context }: FigureView) =>
  gradeFinding(answer.metrics.grade, answer.metrics.pass_rate, context.format)

export const gradeBlock = <V extends FigureView>(): Block<V> => ({
  id: 'grades',
  isHalf: true,
  title: 'How good are the results?',
  finding: gradeWords,
  defines: ['grade', 'pass_rate'],
  sql: 'grade',
  folded: true,
  list: list({
    table: ({ data }) => gradeTable(data.answer.metrics.grade),
    rows: ({ data }) => data.answer.metrics.grade.histogram,
  }),
  chart: ({ data, context }) => gradeChart(data.answer.metrics.grade, context.format),
  plot(view) {
    const median = view.data.answer.metrics.grade.median ?? 0
    const at = Math.round(Math.min(100, Math.max(0, median)) * 2)
    return {
      label: t('Histogram of grades. {finding}', { finding: gradeWords(view) }),
      endLabels: false,
      children: (
        <span class={`median at-x-${at} ${median > 70 ? 'left' : ''}`}>
          <span>{t('median {median}', { median: view.context.format.decimal(median) })}</span>
        </span>
      ),
    }
  },
  empty(view) {
    const { n, median } = view.data.answer.metrics.grade
    return n === 0 || median === null ? empty(gradeWords(view), view) : null
  },
  content: ({ data: { answer } }, { plot }) =>
    answer.metrics.grade.n < fewestForHistogram ? (
      <GradeDots histogram={answer.metrics.grade.histogram} />
    ) : (
      plot
    ),
})

/** Too few for a histogram: each grade is a dot over its bin. */
function GradeDots({ histogram }: { histogram: readonly Bin[] }) {
  return (
    <ol class="grade-dots" aria-hidden="true">
      {histogram.map((bin) => (
        <li>
          {Array.from({ length: bin.count }, () => (
            <i></i>
          ))}
          <span>{bin.from}</span>
        </li>
      ))}
    </ol>
  )
}

type Stage = Metrics['funnel'][number]

function funnelTable({ data }: FigureView): Table<Stage> {
  const { funnel } = data.answer.metrics
  const whole = funnel[0]?.count ?? 0
  const ofBefore = (row: Stage) => {
    const before = funnel[funnel.indexOf(row) - 1]?.count ?? 0
    return before === 0 ? null : row.count / before
  }
  return {
    label: 'Stage',
    className: 'shares',
    nameOf: ({ stage }) => stageName(stage),
    narrow: () => ({}),
    columns: [
      column('text', 'stage', 'Stage'),
      column('count', 'count', 'Count', {
        rows: ({ stage }) => ({ metric: 'funnel', part: stage }),
        bar: ({ count }) => ({ share: whole === 0 ? 0 : count / whole, series: 'completed' }),
      }),
      column('percent', 'of_assigned', 'Of assigned', ({ count }) => (whole === 0 ? null : count / whole), {
        only: 'page',
      }),
      column('percent', 'of_before', 'Of step before', ofBefore, {
        only: 'page',
        optional: true,
        cell: (row, { format }) => {
          const share = ofBefore(row)
          return share === null ? '' : format.percent(share)
        },
      }),
    ],
  }
}

/** How far assignments have come: each stage with its rows. */
export const funnelBlock = <V extends FigureView>(): Block<V> => ({
  id: 'funnel',
  isHalf: true,
  title: 'Where do people get stuck?',
  finding({ data: { answer }, context }) {
    const failed = answer.metrics.statuses.find(({ status }) => status === 'failed')?.count ?? 0
    return funnelFinding(answer.metrics.funnel, context.format, failed)
  },
  defines: ['funnel'],
  sql: 'funnel',
  list: list({
    table: funnelTable,
    rows: ({ data }) => data.answer.metrics.funnel,
    narrowedBy: ['reports'],
  }),
})

type Groups<V> = {
  noun: 'team' | 'challenge'
  title: Message
  /** The filters of a link to the page of a line. */
  filters: (view: V) => URLSearchParams
  /** Whether the page shows more than what needs help. */
  isWhole: boolean
}

/** The five groups that need help most. All of them have a page of their own. */
export const groupsBlock = <V extends FigureView>({
  noun,
  title,
  filters,
  isWhole,
}: Groups<V>): Block<V> => ({
  id: `by-${noun}`,
  isHalf: !isWhole,
  title,
  finding: ({ data, context }) => rankingFinding(data[`by_${noun}`], noun, context.format),
  defines: ['on_time_rate', 'completion_rate', 'overdue'],
  sql: 'on_time_rate',
  list: list({
    table: (view: V) =>
      groupsTable<RankingRow>({
        kind: noun,
        head: noun === 'team' ? 'Team' : 'Challenge',
        label: noun === 'team' ? 'Ranking by team' : 'Ranking by challenge',
        narrow: ({ id }) => ({ [noun]: id }),
        // No page is about a challenge that is not known.
        href: ({ id }) =>
          id !== ''
            ? objectHref(noun, id, filters(view))
            : noun === 'team'
              ? withoutTeamHref('/', filters(view))
              : null,
        nameOf: (row) => rowName(row, noun),
        whole: view.data.answer.metrics.on_time_rate.value,
        isShort: !isWhole,
      }),
    rows: ({ data }) => {
      const { ranked, few } = rank(data[`by_${noun}`])
      return [...ranked, ...few]
    },
    most: 5,
    all: (view) => href(objectPaths[noun], withChange(filters(view), { compare: null, period: null })),
    narrowedBy: ['reports'],
    empty: () =>
      noun === 'team' ? t('Nothing in this scope has a team.') : t('Nothing in this scope has a challenge.'),
  }),
})
