import { counted } from '../../../language/format.ts'
import { lookUp, rich, t } from '../../../language/translate.ts'
import type { GuidesPageAnswer } from '../../../reporting/queries/guides.ts'
import type { GuidePart } from '../../../reporting/statements/guides.ts'
import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { guideKeys } from '../../api/operations.ts'
import { list } from '../../blocks/list.tsx'
import { definePage, type Block } from '../../blocks/page.ts'
import { canOpen } from '../../components/access.tsx'
import { Headline } from '../../components/figures/headline.tsx'
import { answerOf } from '../../components/stamp.tsx'
import type { PageContext } from '../../page-context.ts'
import { pageFilters } from '../../scope/page-url.ts'
import { exclusionSentence } from '../../scope/part-words.ts'
import {
  guidesFinding,
  linesTable,
  own,
  partNames,
  rowsTable,
  type GuideLine,
  type GuidesView,
} from './tables.tsx'

/** A file is read so many rows at a time. */
const rowsAtATime = 100_000
const guideOf = ({ own: { guide } }: Pick<GuidesView, 'own'>) => (guide === undefined ? [] : [guide])

/** Progress with the assigned guides: as of now, as fresh as the last pull. */
export const guidesPage = definePage<GuidesView['data'], typeof own>({
  path: '/guides',
  title: 'Guides',
  question: 'Are assigned guides completed?',
  keys: { own, ignored: pageFilters.filter((key) => key !== 'compare' && !guideKeys.includes(key)) },
  async read({ routes: { queries }, scope, own }) {
    const [guides, frame] = await Promise.all([queries.guides(scope, guideOf({ own })), queries.frame(scope)])
    const names = new Map(guides.options.guides.map(({ id, name }) => [id, name]))
    return { ...frame, answer: answerOf(scope), guides, names }
  },
  below: Updated,
  empty: ({ data: { guides }, context }) =>
    guides.metrics.assigned.value > 0 || lastOf(guides) !== undefined ? null : <Unpulled context={context} />,
  blocks: [
    { id: 'rates', bare: Headlines },
    {
      id: 'rows',
      isShown: ({ own }) => own.show !== undefined,
      title: ({ own: { show = 'assigned' } }) => t('Guide assignments: {what}', { what: t(partNames[show]) }),
      list: list({
        table: rowsTable,
        rows: readRows,
        most: 25,
        pageKey: 'page',
        narrowedBy: ['guide', 'show'],
        empty: () => t('None.'),
      }),
    },
    ranking('guide'),
    ranking('team'),
  ],
})

async function readRows(view: GuidesView, { offset, limit }: { offset: number; limit: number }) {
  const { routes, scope, own } = view
  const of = { guide: guideOf(view), part: own.show ?? 'assigned' }
  const read = (from: number, most: number) =>
    routes.queries.guideRows(scope, { ...of, offset: from, limit: Math.min(most, rowsAtATime) })
  const page = await read(offset, limit)
  while (page.rows.length < Math.min(limit, page.total - offset))
    page.rows.push(...(await read(offset + page.rows.length, limit)).rows)
  return page
}

function ranking(noun: 'guide' | 'team'): Block<GuidesView> {
  const { completion_rate, on_time_rate, overdue } = guideMetricDefinitions
  const ofGuides = ({ by_guide: lines }: GuidesPageAnswer): GuideLine[] =>
    lines.map((line) => ({ ...line, id: line.guide_id, name: line.guide ?? line.guide_id }))
  const ofTeams = ({ by_team: lines }: GuidesPageAnswer): GuideLine[] =>
    lines.map((line) => ({ ...line, id: line.team_id, name: line.team ?? line.team_id ?? t('No team') }))
  const toLines = ({ data: { guides } }: GuidesView) =>
    (noun === 'guide' ? ofGuides : ofTeams)(guides).sort((a, b) => b.overdue.value - a.overdue.value)
  return {
    id: `by-${noun}`,
    title: noun === 'guide' ? 'Which guides need a reminder?' : 'Which teams need help?',
    finding: (view) => guidesFinding(toLines(view), view.context.format),
    also: [overdue, completion_rate, on_time_rate],
    list: list({
      table: (view) => linesTable(view, noun),
      rows: toLines,
      sortKey: `sort_${noun}s`,
      narrowedBy: ['guide'],
      empty: () => t('No assignments here.'),
    }),
  }
}

const lastOf = ({ pulled }: GuidesPageAnswer) =>
  [pulled.assignments, pulled.changes]
    .filter((at) => at !== null)
    .toSorted()
    .at(-1)

/** When the platform was last read. */
function Updated({ data: { guides }, context: { format } }: GuidesView) {
  const { unseen } = guides
  const last = lastOf(guides)
  return (
    <p class="stamp">
      {last === undefined
        ? t('Not updated from the platform yet')
        : t('Updated from the platform {last}', { last: format.ago(last) })}
      {unseen === 0
        ? null
        : ` · ${t('{assignments} missing in the last full pull', { assignments: counted(format, unseen, 'assignment') })}`}
    </p>
  )
}

function Unpulled({ context }: { context: PageContext }) {
  return (
    <p class="empty">
      {rich(
        'Guides come from the platform. Set <code>PLATFORM_URL</code> and <code>PLATFORM_TOKEN</code>; <a>Setup</a> then shows the pulls.',
        {
          code: (text) => <code>{text}</code>,
          a: (text) => (canOpen(context, '/setup') ? <a href="/setup">{text}</a> : <span>{text}</span>),
        },
      )}
    </p>
  )
}

function Headlines(view: GuidesView) {
  const { format } = view.context
  const { completion_rate, on_time_rate, overdue, assigned, completed } = view.data.guides.metrics
  const rowsOf = (show: GuidePart, count: number) =>
    count === 0 ? null : { href: view.to({ show, page: null }, 'rows'), count }
  const of = (some: number, n: number, whole: GuidePart) => {
    const all = n === 0 ? format.count(n) : <a href={rowsOf(whole, n)?.href}>{format.count(n)}</a>
    return rich('{some} of {all}', { some: format.count(some), all })
  }
  const tile = (id: keyof typeof guideMetricDefinitions) => ({
    id,
    name: lookUp(guideMetricDefinitions[id].title),
    notes: id === 'on_time_rate' ? [exclusionSentence(on_time_rate, format)] : [],
    definitions: (
      <p>
        {lookUp(guideMetricDefinitions[id].definition)}{' '}
        <a href={`/help#guide-${id}`}>{t('All definitions')}</a>
      </p>
    ),
  })
  const percent = (share: number | null) => (share === null ? null : format.percent(share))
  return (
    <div class="headlines three">
      <Headline
        {...tile('completion_rate')}
        value={percent(completion_rate.value)}
        of={of(completed.value, assigned.value, 'assigned')}
        rows={rowsOf('completed', completed.value)}
      />
      <Headline
        {...tile('on_time_rate')}
        value={percent(on_time_rate.value)}
        of={of(on_time_rate.numerator, on_time_rate.denominator, 'decided')}
        rows={rowsOf('on_time', on_time_rate.numerator)}
      />
      <Headline
        {...tile('overdue')}
        value={format.count(overdue.value)}
        of={t('of {n} open', { n: format.count(assigned.value - completed.value) })}
        rows={rowsOf('overdue', overdue.value)}
      />
    </div>
  )
}
