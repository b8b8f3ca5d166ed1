import { allFilters } from '../../scope/follow.ts'
import { t } from '../../../language/translate.ts'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import { Icon } from '../../components/icon.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import type { PageContext } from '../../page-context.ts'
import { rowName } from '../../components/figures/findings.ts'
import { counted } from '../../../language/format.ts'
import { type ObjectKind, objectHref, objectPaths } from '../../components/group-url.ts'
import { href, type Narrow } from '../../scope/page-url.ts'
import { type Line, type LineSort, type LinesState, linesHref, linesPerPage } from './all-state.ts'
import { LinesTable } from './lines-table.tsx'
import { objectWords } from './words.ts'
import { NoAssignments } from '../../components/messages.tsx'

export type AllPageProps = {
  context: PageContext
  kind: ObjectKind
  answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone'>
  frame: PageFrame
  /** Found and in order. */
  lines: readonly Line[]
  /** The share on time of the whole scope. */
  whole: number | null
  /** The moment with which lines are compared. */
  since: string
  state: LinesState
  /** Only of managers: whether everybody below counts, or direct reports only. */
  reports: 'direct' | 'all'
  rowParams: URLSearchParams
  notices: string[]
}

/** All challenges, teams or managers, line by line. */
export function AllPage(props: AllPageProps) {
  const { context, kind, answer, frame, state, notices, lines, reports } = props
  const { format, params } = context
  const words = objectWords[kind]
  const own: Record<string, string> = kind === 'manager' && reports === 'all' ? { reports } : {}
  const file = (extension: string) =>
    linesHref(
      `${objectPaths[kind]}.${extension}`,
      new URLSearchParams([...params, ['as_of', answer.as_of]]),
      state,
      own,
      {},
    )
  return (
    <ScopePage
      context={context}
      title={t(words.all)}
      question={t(words.question)}
      frame={{ ...frame, answer }}
      keeps={{
        ...own,
        sort: `${state.descending ? '-' : ''}${state.sort}`,
        ...(state.find !== '' && { find: state.find }),
      }}
      exports={[{ name: counted(format, lines.length, 'line'), href: file('csv') }]}
      notices={notices}
    >
      <section class="figure wide" aria-label={t(words.all)}>
        <Finding {...props} />
        <Tools {...props} own={own} />
        <Lines {...props} own={own} />
        <Files csv={file('csv')} xlsx={file('xlsx')} />
      </section>
    </ScopePage>
  )
}

/** Who stands out, with numbers and n. */
function Finding({ kind, lines, context: { format } }: AllPageProps) {
  const late = lines.reduce<Line | undefined>(
    (most, line) => (line.overdue > (most?.overdue ?? 0) ? line : most),
    undefined,
  )
  // Those without a team have a line, and are none.
  const said = counted(format, lines.filter(({ id }) => id !== '').length, kind)
  return (
    <p class="finding">
      {late === undefined
        ? t('{said}, and nothing is overdue.', { said })
        : t('{said}. Most overdue: {kind}, {overdue} of {assigned} assigned.', {
            said,
            kind: nameOf(kind, late),
            overdue: format.count(late.overdue),
            assigned: format.count(late.assigned),
          })}
    </p>
  )
}

function nameOf(kind: ObjectKind, line: Line): string {
  return kind === 'manager' ? line.name || line.id : rowName(line, kind)
}

/** What every figure has below it. */
function Files({ csv, xlsx }: { csv: string; xlsx: string }) {
  return (
    <p class="figure-foot">
      <a class="csv" href={csv} download>
        <Icon name="download" />
        {t('CSV')}
      </a>
      <a class="csv" href={xlsx} download>
        <Icon name="download" />
        {t('XLSX')}
      </a>
    </p>
  )
}

type Own = { own: Record<string, string> }

function Tools({ context, kind, state, reports, own }: AllPageProps & Own) {
  const { params } = context
  const path = objectPaths[kind]
  const hidden = [...params, ...Object.entries(own), ['sort', `${state.descending ? '-' : ''}${state.sort}`]]
  const to = (wanted: 'direct' | 'all') =>
    linesHref(path, params, state, wanted === 'all' ? { reports: 'all' } : {}, {})
  return (
    <div class="lines-tools">
      <form method="get" action={path} role="search" class="lines-find">
        {hidden.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <label>
          {t('Find')} <input type="search" name="find" value={state.find} />
        </label>
        <button type="submit" class="button">
          {t('Find')}
        </button>
        {state.find === '' ? null : <a href={linesHref(path, params, state, own, { find: '' })}>{t('Show all')}</a>}
      </form>
      {kind === 'manager' ? (
        <nav class="segments" aria-label={t('Whose assignments count')}>
          <a href={to('direct')} aria-current={reports === 'direct' ? 'true' : undefined} data-keep-place>
            {t('Direct reports')}
          </a>
          <a href={to('all')} aria-current={reports === 'all' ? 'true' : undefined} data-keep-place>
            {t('All reports')}
          </a>
        </nav>
      ) : null}
    </div>
  )
}

function Lines({ context, kind, answer, lines, whole, since, state, reports, rowParams, own }: AllPageProps & Own) {
  const { format, params } = context
  const path = objectPaths[kind]
  const words = objectWords[kind]
  if (lines.length === 0 && state.find === '' && params.size === 0)
    return <NoAssignments context={context} hasFilters={false} />
  if (lines.length === 0)
    return (
      <p class="notices">
        {state.find === '' ? t(words.none) : t('Nothing is found for “{find}”.', { find: state.find })}{' '}
        <a href={path}>{t(words.showAll)}</a>
      </p>
    )
  const first = Math.min((state.page - 1) * linesPerPage, Math.floor((lines.length - 1) / linesPerPage) * linesPerPage)
  const shown = lines.slice(first, first + linesPerPage)
  const to = (page: number) => linesHref(path, params, state, own, { page })
  const page = first / linesPerPage + 1
  const sortHref = (sort: LineSort) =>
    linesHref(path, params, state, own, {
      sort,
      descending: state.sort === sort ? !state.descending : sort !== 'name' && sort !== 'on_time',
    })
  const depth: Narrow = kind === 'manager' && reports === 'direct' ? { manager_depth: '1' } : {}
  return (
    <>
      <LinesTable
        context={context}
        head={t(words.noun)}
        lines={shown}
        rowParams={rowParams}
        asOf={answer.as_of}
        narrow={({ id }) => (id === '' ? null : { [kind]: id, ...depth })}
        page={({ id }) => (id === '' ? null : toPage(kind, id, allFilters(context), reports))}
        nameOf={(line) => nameOf(kind, line)}
        whole={whole}
        since={since}
        sorting={{ state, href: sortHref }}
      />
      {lines.length <= linesPerPage ? null : (
        <nav class="pages" aria-label={t('Pages of lines')}>
          <span>
            {t('{first}–{n} of {n2}', {
              first: format.count(first + 1),
              n: format.count(first + shown.length),
              n2: format.count(lines.length),
            })}
          </span>
          {page > 1 ? (
            <a class="pill" rel="prev" href={to(page - 1)}>
              {t('Previous')}
            </a>
          ) : null}
          {first + shown.length < lines.length ? (
            <a class="pill" rel="next" href={to(page + 1)}>
              {t('Next')}
            </a>
          ) : null}
        </nav>
      )}
    </>
  )
}

function toPage(kind: ObjectKind, id: string, params: URLSearchParams, reports: 'direct' | 'all'): string {
  const page = objectHref(kind, id, params)
  if (kind !== 'manager' || reports === 'direct') return page
  const [path = '', query] = page.split('?')
  return href(path, new URLSearchParams(`${query ?? ''}&reports=all`))
}
