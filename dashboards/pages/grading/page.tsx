import { t } from '../../../language/translate.ts'
import { list } from '../../blocks/list.tsx'
import { definePage } from '../../blocks/page.ts'
import type { OwnDefinition } from '../../components/figure.tsx'
import { targetWords } from '../../components/figures/comparisons.ts'
import { PeriodSwitch } from '../../components/figures/periods.tsx'
import { notesOn } from '../../components/plot.tsx'
import { rowOnly } from '../../scope/follow.ts'
import { backlogChart, turnaroundChart } from './charts.ts'
import {
  ageTable,
  backlogTable,
  challengeTable,
  own,
  queueTable,
  turnaroundTable,
  type GradingData,
  type GradingView,
} from './tables.tsx'
import { ageFinding, backlogFinding, challengesFinding, queueFinding, turnaroundFinding } from './words.ts'

const waiting: OwnDefinition = {
  title: 'Waiting',
  definition: 'The time from first seen submitted to the moment.',
}
const turnaround: OwnDefinition = {
  title: 'Turnaround of a period',
  definition:
    'Grading turnaround over just those first seen graded in the period: nothing among them still waits, so p50 (p90) is the smallest time after which half (nine in ten) of them were graded. Under n = 10 a median is a grey dot and not part of the line.',
}
const backlog: OwnDefinition = {
  title: 'Waiting at the end',
  definition:
    'Of the assignments in scope at the moment: those that awaited grading at the end of the period (or at the moment, if that is earlier), by the state in force then. An assignment counts only if it was then known, created and not deleted; its person, the filters and who has left are those of the moment.',
}

const notes = ({ context, data }: GradingView) =>
  notesOn(context, data.options.teams, data.backlog, data.period)
const noPeriod = (periods: readonly unknown[]) =>
  periods.length === 0 ? t('No period in this scope.') : null

export const gradingPage = definePage<GradingData, typeof own>({
  path: '/grading',
  title: 'Grading',
  question: 'What is waiting for a grade?',
  keys: { own, ignored: rowOnly },
  async read({ routes: { queries }, scope }) {
    const { metrics, period, as_of } = await queries.metrics(scope)
    // Metrics are cached for a moment: the whole page is of their moment.
    return { ...(await queries.grading({ ...scope, asOf: Date.parse(as_of) })), metrics, period }
  },
  blocks: [
    {
      id: 'queue',
      title: ({ own }) =>
        own.graded === undefined ? t('What should be graded first?') : t('What was graded then?'),
      finding: ({ data, context }) =>
        `${queueFinding(data.metrics, context.format)} ${t('Oldest first. The platform does not send the reviewer.')}`,
      defines: ['grading_backlog', 'reviewer_overdue', 'reviewer_on_time'],
      also: [waiting],
      sql: 'grading_backlog',
      list: list({
        table: queueTable,
        rows: ({ routes, scope, own: { waiting: age, graded } }, part) =>
          routes.queries.gradingQueue(scope, { age, graded, ...part }),
        most: 10,
        pageKey: 'page',
        narrowedBy: ['waiting', 'graded'],
        empty: () => t('Nothing in this list.'),
      }),
    },
    {
      id: 'waiting',
      isHalf: true,
      title: 'How long has it waited?',
      finding: ({ data, context }) => ageFinding(data, context.format),
      defines: ['grading_backlog'],
      also: [waiting],
      list: list({ table: ageTable, rows: ({ data }) => data.by_age }),
    },
    {
      id: 'turnaround',
      isHalf: true,
      title: 'How long does grading take?',
      finding: ({ data, context }) => turnaroundFinding(data.metrics, context.format),
      defines: ['grading_turnaround'],
      also: [turnaround],
      tools: ({ context, data }) => <PeriodSwitch context={context} period={data.period} to="turnaround" />,
      list: list({ table: turnaroundTable, rows: ({ data }) => data.turnaround }),
      empty: ({ data }) =>
        data.metrics.grading_turnaround.n === 0 ? t('No grades yet.') : noPeriod(data.turnaround),
      chart: turnaroundChart,
      plot: (view) => ({
        unit: t('in days'),
        target: targetWords(view.context, 'grading_turnaround'),
        notes: notes(view),
      }),
    },
    {
      id: 'backlog',
      isHalf: true,
      title: 'Are fewer waiting than before?',
      finding: ({ data, context }) => backlogFinding(data, data.period, context.format),
      defines: ['grading_backlog'],
      also: [backlog],
      list: list({ table: backlogTable, rows: ({ data }) => data.backlog }),
      empty: ({ data }) => noPeriod(data.backlog),
      chart: backlogChart,
      plot: (view) => ({ notes: notes(view) }),
    },
    {
      id: 'by-challenge',
      title: 'Which challenges have a backlog?',
      finding: ({ data, context }) => challengesFinding(data.by_challenge, data.waiting, context.format),
      defines: ['grading_backlog', 'grading_turnaround', 'grade'],
      list: list({
        table: challengeTable,
        rows: ({ data }) => data.by_challenge,
        most: 5,
        pageKey: 'challenges',
        sortKey: 'sort',
        empty: () => t('Nothing submitted yet.'),
      }),
    },
  ],
})
