import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { GuidesPageAnswer } from '../../../reporting/queries/guides.ts'
import { guideParts, type GuidePart, type GuideRowPage } from '../../../reporting/statements/guides.ts'
import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import type { PageData, View } from '../../blocks/page.ts'
import { canOpen } from '../../components/access.tsx'
import { fewestToRank } from '../../components/figures/findings.ts'
import { PersonLink } from '../../components/people.tsx'
import { column, inFile, type Column, type Table } from '../../components/table.tsx'
import { allFilters } from '../../scope/follow.ts'
import { oneOf, type OwnKey } from '../../scope/page-keys.ts'
import { href, withChange } from '../../scope/page-url.ts'

export const partNames: Record<GuidePart, Message> = {
  assigned: 'assigned',
  completed: 'completed',
  overdue: 'overdue',
  on_time: 'completed on time',
  decided: 'completed or overdue',
}

/** The parameters that only this page has. */
export const own = {
  guide: {
    read: (id) => id.slice(0, 200),
    chip: { label: 'Guide', words: (id, _scope, _format, names) => names?.get(id) || id },
  } as OwnKey,
  /** Which rows are listed. */
  show: oneOf(guideParts, { label: 'Guide assignments', words: (part) => t(partNames[part]) }),
}

/** `names`: of guides. */
export type GuidesView = View<
  PageData & { guides: GuidesPageAnswer; names: ReadonlyMap<string, string> },
  typeof own
>

/** A guide, or a team. `id`: `null` for no team. */
export type GuideLine = GuideMetrics & { id: string | null; name: string }

/** `lines`: the most overdue first. */
export function guidesFinding(lines: readonly GuideLine[], format: Format): string {
  const most = lines.find(({ assigned }) => assigned.value >= fewestToRank)
  if (most === undefined)
    return t('Not enough data to rank yet ({n} assignments needed).', { n: fewestToRank })
  const { name, overdue, assigned, completed } = most
  if (overdue.value === 0) return t('Nothing is overdue.')
  return t('Most overdue: {name}, {n} of {open} open.', {
    name,
    n: format.count(overdue.value),
    open: format.count(assigned.value - completed.value),
  })
}

type Row = GuideRowPage['rows'][number]

const toStatus = ({ completed, overdue }: Row) =>
  completed ? t('Completed') : overdue ? t('Overdue') : t('Open')

/** The guide assignments that a number counts, open ones due longest ago first. */
export const rowsTable = ({ context }: GuidesView): Table<Row> => ({
  label: 'Guide assignments',
  className: 'rows list-cards named',
  nameOf: (row) => row.user_name ?? row.user_id ?? t('Unknown person'),
  columns: [
    column('text', 'user_name', 'Person', {
      ...(canOpen(context, '/learners/:id') && {
        cell: (row) => <PersonLink context={context} id={row.user_id} name={row.user_name} />,
      }),
    }),
    column('text', 'guide', 'Guide', (row) => row.guide ?? row.guide_id),
    column('text', 'status', 'Status', toStatus, { only: 'page', optional: true }),
    column('instant', 'due_date', 'Due', {
      cell: (row, { format }) => (row.due_date === null ? t('no due date') : format.dueDay(row.due_date)),
    }),
    column('instant', 'completed_at', 'Completed', {
      optional: true,
      cell: ({ completed, completed_at: at }, { format }) =>
        at === null ? completed && t('unknown day') : format.instantDay(at),
    }),
    inFile('text', 'completed', 'Completed'),
    inFile('text', 'overdue', 'Overdue'),
    inFile('text', 'assignment_id', 'Assignment ID'),
    inFile('text', 'guide_id', 'Guide ID'),
    inFile('text', 'user_id', 'Person ID'),
  ],
})

/** The most overdue first, and a bar of the share that is completed; lines of a few come last, in grey. */
export function linesTable(view: GuidesView, noun: 'guide' | 'team'): Table<GuideLine> {
  const { own } = view
  const params = allFilters(view.context)
  const toPage = ({ id }: GuideLine, show?: GuidePart) => {
    const more = { ...own, page: null, show: show ?? null, ...(noun === 'guide' && { guide: id }) }
    const team = id === null ? { team: null, without: 'team' } : { team: id }
    const to = href('/guides', noun === 'guide' ? params : withChange(params, team), more)
    return show === undefined ? to : `${to}#rows`
  }
  // A person in two teams counts in both. So another team than the chosen ones has more rows than it counts here.
  const chosen = noun === 'team' ? params.getAll('team') : []
  const rows = (show: GuidePart, count: (line: GuideLine) => number): Partial<Column<GuideLine>> => ({
    href: (line) =>
      count(line) === 0 || (chosen.length > 0 && !chosen.includes(line.id ?? '')) ? null : toPage(line, show),
  })
  const n = (line: GuideLine) => line.assigned.value
  return {
    label: noun === 'guide' ? 'Guides' : 'Teams',
    className: 'ranking',
    order: '-overdue',
    nameOf: ({ name }) => name,
    columns: [
      column('text', noun, noun === 'guide' ? 'Guide' : 'Team', ({ name }) => name, {
        sorts: true,
        href: (line) => toPage(line),
      }),
      column('percent', 'completion_rate', 'Completed', (line) => line.completion_rate.value, {
        sorts: true,
        of: n,
        bar: ({ completion_rate: { value } }) =>
          value === null ? null : { share: value, series: 'completed' },
        hint: (line, { format }) =>
          t('{some} of {all}', { some: format.count(line.completed.value), all: format.count(n(line)) }),
        ...rows('completed', (line) => line.completed.value),
      }),
      column('percent', 'on_time_rate', 'On time', (line) => line.on_time_rate.value, {
        sorts: true,
        optional: true,
        of: (line) => line.on_time_rate.denominator,
        ...rows('on_time', (line) => line.on_time_rate.numerator),
      }),
      column('count', 'overdue', 'Overdue', (line) => line.overdue.value, {
        sorts: true,
        of: n,
        ...rows('overdue', (line) => line.overdue.value),
      }),
      column('count', 'assigned', 'Assigned', n, { sorts: true, optional: true, ...rows('assigned', n) }),
      inFile('count', 'completed', 'Completed', (line) => line.completed.value),
      inFile('count', 'on_time_numerator', 'On time', (line) => line.on_time_rate.numerator),
      inFile('count', 'on_time_denominator', 'Due or done', (line) => line.on_time_rate.denominator),
      inFile('text', `${noun}_id`, 'Id', ({ id }) => id),
    ],
  }
}
