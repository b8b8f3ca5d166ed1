import { allFilters } from '../../scope/follow.ts'
import { t } from '../../../language/translate.ts'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import { FigureFiles } from '../../components/figure.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import type { PageContext } from '../../page-context.ts'
import { nameInSentence, rowName } from '../../components/figures/findings.ts'
import { counted } from '../../../language/format.ts'
import { type ObjectKind, objectHref, objectPaths, withoutTeamHref } from '../../components/group-url.ts'
import { toAttributeKey } from '../../../reporting/scope/filters.ts'
import { href, withChange, type Narrow } from '../../scope/page-url.ts'
import { type Line, type LineSort, type LinesState, linesHref, linesPerPage } from './all-state.ts'
import { LinesTable } from './lines-table.tsx'
import { objectWords } from './words.ts'
import { canOpen } from '../../components/access.tsx'
import { NoAssignments } from '../../components/messages.tsx'
import { Field, Hidden } from '../../components/field.tsx'
import { UnknownChallenge } from '../../components/people.tsx'
import { PageLinks, Segments } from '../../components/page-links.tsx'

export type AllPageProps = {
  context: PageContext
  kind: ObjectKind
  answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone'>
  frame: PageFrame
  /** Found and in order. */
  lines: readonly Line[]
  /** Whether the scope has assignments; those of people without a manager are on no line of managers. */
  isEmpty: boolean
  /** The share on time of the whole scope. */
  whole: number | null
  /** The moment with which lines are compared. Left out: they are not. */
  since?: string
  state: LinesState
  /** Only of managers: whether everybody below counts, or direct reports only. */
  reports: 'direct' | 'all'
  /** Only of teams: the attribute whose values are the lines. */
  by: string | undefined
  notices: string[]
}

/** All challenges, teams or managers, line by line. */
export function AllPage(props: AllPageProps) {
  const { context, kind, answer, frame, state, notices, lines, reports, by } = props
  const { format, params } = context
  const words = objectWords[kind]
  const axis: Record<string, string> =
    by !== undefined ? { by } : kind === 'manager' && reports === 'all' ? { reports } : {}
  const pinned = withChange(params, { as_of: answer.as_of })
  const csv = linesHref(`${objectPaths[kind]}.csv`, pinned, state, axis, {})
  return (
    <ScopePage
      context={context}
      title={t(words.all)}
      question={
        by === undefined ? t(words.question) : t('How do the values of {attribute} compare?', { attribute: by })
      }
      frame={{ ...frame, answer }}
      exports={[{ name: counted(format, lines.length, 'line'), href: csv }]}
      notices={notices}
    >
      <section class="figure wide" aria-label={by ?? t(words.all)}>
        {lines.length === 0 ? null : <Finding {...props} />}
        <Tools {...props} axis={axis} />
        <Lines {...props} axis={axis} />
        <p class="figure-foot">
          <FigureFiles csv={csv} />
        </p>
      </section>
    </ScopePage>
  )
}

/** Who stands out, with numbers and n. */
function Finding({ kind, by, lines, context: { format } }: AllPageProps) {
  const late = lines.reduce<Line | undefined>(
    (most, line) => (line.overdue > (most?.overdue ?? 0) ? line : most),
    undefined,
  )
  // Those without a team have a line, and are none.
  const n = lines.filter(({ id }) => id !== '').length
  const size = counted(format, n, by === undefined ? kind : 'value')
  return (
    <p class="finding">
      {late === undefined
        ? t('{said}, and nothing is overdue.', { said: size })
        : t('{said}. Most overdue: {kind}, {overdue} of {assigned} assigned.', {
            said: size,
            kind: kind === 'manager' || by !== undefined ? nameOf(kind, by, late) : nameInSentence(late, kind),
            overdue: format.count(late.overdue),
            assigned: format.count(late.assigned),
          })}
    </p>
  )
}

function nameOf(kind: ObjectKind, by: string | undefined, line: Line): string {
  return by === undefined ? rowName(line, kind) : line.id || t('No value')
}

type By = { axis: Record<string, string> }

function Tools({ context, kind, by, state, reports, axis }: AllPageProps & By) {
  const params = allFilters(context)
  const path = objectPaths[kind]
  const hidden = [...params, ...Object.entries(axis), ['sort', `${state.descending ? '-' : ''}${state.sort}`] as const]
  const way = (name: string, other: Record<string, string>, isShown: boolean) => {
    return { name, href: linesHref(path, params, state, other, {}), isShown }
  }
  const ways =
    kind === 'manager'
      ? [
          way(t('Their direct reports'), {}, reports === 'direct'),
          way(t('All their reports'), { reports: 'all' }, reports === 'all'),
        ]
      : [
          way(t('Teams'), {}, by === undefined),
          ...(context.settings.userAttributes ?? []).map((name) => way(name, { by: name }, by === name)),
        ]
  return (
    <div class="lines-tools">
      <form method="get" action={path} role="search" class="lines-find">
        <Hidden fields={hidden} />
        <Field label={t('Find')} type="search" name="find" value={state.find} />
        <button type="submit" class="button">
          {t('Find')}
        </button>
        {state.find === '' ? null : <a href={linesHref(path, params, state, axis, { find: '' })}>{t('Show all')}</a>}
      </form>
      {kind === 'challenge' || ways.length === 1 ? null : (
        <Segments label={kind === 'manager' ? t('Whose assignments count') : t('Lines by')} links={ways} keepsPlace />
      )}
    </div>
  )
}

function Lines({ context, kind, by, lines, isEmpty, whole, since, state, reports, axis }: AllPageProps & By) {
  const { format, params } = context
  const path = objectPaths[kind]
  const words = objectWords[kind]
  if (lines.length === 0 && isEmpty && params.size === 0) return <NoAssignments context={context} hasFilters={false} />
  if (lines.length === 0)
    return (
      <p class="notices">
        {state.find === '' ? t(words.none) : t('Nothing is found for “{find}”.', { find: state.find })}{' '}
        {state.find === '' && params.size === 0 ? null : <a href={path}>{t(words.showAll)}</a>}
      </p>
    )
  const first = Math.min((state.page - 1) * linesPerPage, Math.floor((lines.length - 1) / linesPerPage) * linesPerPage)
  const shown = lines.slice(first, first + linesPerPage)
  const all = allFilters(context)
  const to = (page: number) => linesHref(path, all, state, axis, { page })
  const page = first / linesPerPage + 1
  const sortHref = (sort: LineSort) =>
    linesHref(path, all, state, axis, {
      sort,
      descending: state.sort === sort ? !state.descending : sort !== 'name' && sort !== 'on_time',
    })
  const depth: Narrow = kind === 'manager' && reports === 'direct' ? { manager_depth: '1' } : {}
  return (
    <>
      <LinesTable
        context={context}
        head={by ?? t(words.noun)}
        lines={shown}
        narrow={({ id }) => ({ [by === undefined ? kind : toAttributeKey(by)]: id, ...depth })}
        page={({ id }) => toPage(context, kind, by, id, reports)}
        nameOf={(line) => nameOf(kind, by, line)}
        {...(kind === 'challenge' && { lost: <UnknownChallenge /> })}
        whole={whole}
        {...(since !== undefined && { since })}
        sorting={{ state, href: sortHref }}
      />
      {lines.length <= linesPerPage ? null : (
        <PageLinks
          label={t('Pages of lines')}
          previous={page > 1 ? to(page - 1) : null}
          next={first + shown.length < lines.length ? to(page + 1) : null}
        >
          <span>
            {t('{first}–{last} of {total}', {
              first: format.count(first + 1),
              last: format.count(first + shown.length),
              total: format.count(lines.length),
            })}
          </span>
        </PageLinks>
      )}
    </>
  )
}

/** A line without a page, or without one for this reader, leads to Home with its filter. `null`: there is no filter. */
function toPage(
  context: PageContext,
  kind: ObjectKind,
  by: string | undefined,
  id: string,
  reports: 'direct' | 'all',
): string | null {
  const params = allFilters(context)
  const hasPage = canOpen(context, `${objectPaths[kind]}/:id`)
  if (id === '') return by === undefined && kind === 'team' && hasPage ? withoutTeamHref('/', params) : null
  if (by !== undefined || !hasPage)
    return href('/', withChange(params, { [by === undefined ? kind : toAttributeKey(by)]: id }))
  const page = objectHref(kind, id, params)
  if (kind !== 'manager' || reports === 'direct') return page
  const [path = '', query] = page.split('?')
  return href(path, new URLSearchParams(`${query ?? ''}&reports=all`))
}
