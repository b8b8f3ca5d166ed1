import { counted, type Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import type { Counts } from '../../../reporting/metrics/to-metrics.ts'
import { toAttributeKey } from '../../../reporting/scope/filters.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { list } from '../../blocks/list.tsx'
import { definePage, type AnyPage, type PageData, type View } from '../../blocks/page.ts'
import { canOpen } from '../../components/access.tsx'
import { nameInSentence, rowName } from '../../components/figures/findings.ts'
import { objectHref, objectPaths, withoutTeamHref, type ObjectKind } from '../../components/group-url.ts'
import { NoAssignments } from '../../components/messages.tsx'
import { Segments } from '../../components/page-links.tsx'
import { answerOf } from '../../components/stamp.tsx'
import type { PageContext } from '../../page-context.ts'
import { allFilters, rowOnly } from '../../scope/follow.ts'
import { oneOf, type OwnKey } from '../../scope/page-keys.ts'
import { href, withChange, type Narrow } from '../../scope/page-url.ts'
import type { DashboardSettings } from '../../settings.ts'
import { linesTable, type Line } from './tables.tsx'
import { earlier, pastDays, reportsKey, reportsSwitch } from './one.tsx'
import { objectWords } from './words.ts'

/** `by`: of teams, the attribute whose values are the lines. `reports`: of managers, whose assignments count. */
type Keys = { by: OwnKey; reports: typeof reportsKey }
/** `whole`: everything in scope. */
type Data = PageData & { lines: Line[]; whole: Counts }
type AllView = View<Data, Keys>

/** All challenges, teams or managers, line by line. */
export function allPage(kind: ObjectKind, { userAttributes = [] }: DashboardSettings): AnyPage {
  const by = oneOf(userAttributes, { label: 'Lines by', words: (text) => text, isSwitch: true })
  const own = { ...(kind === 'team' && { by }), ...(kind === 'manager' && { reports: reportsKey }) } as Keys
  return definePage<Data, Keys>({
    path: objectPaths[kind],
    isList: true,
    title: objectWords[kind].all,
    question: ({ own: { by } }) =>
      by === undefined
        ? t(objectWords[kind].question)
        : t('How do the values of {attribute} compare?', { attribute: by }),
    keys: { own, ignored: kind === 'manager' ? [...rowOnly, 'manager', 'manager_depth'] : rowOnly },
    read: (ask) => readAll(kind, ask),
    blocks: [
      {
        id: 'lines',
        title: ({ data, own: { by }, context: { format } }) =>
          // Those without a team have a line, and are none.
          counted(format, data.lines.filter(({ id }) => id !== '').length, by === undefined ? kind : 'value'),
        finding: ({ data, own: { by }, context: { format } }) => mostOverdue(kind, by, data.lines, format),
        defines: ['on_time_rate', 'completion_rate'],
        tools: (view) => toWays(kind, view, userAttributes),
        list: list({
          table: (view) => tableOf(kind, view),
          rows: ({ data }) => data.lines,
          most: 50,
          pageKey: 'page',
          sortKey: 'sort',
          findKey: 'find',
          narrowedBy: ['by', 'reports'],
          empty: ({ data, own, context }) => {
            const { find } = own as { find?: string }
            if (find !== undefined) return t('Nothing found for “{find}”.', { find })
            if (data.whole.assigned.value > 0) return t('Nothing to show')
            return <NoAssignments context={context} hasFilters={context.params.size > 0} />
          },
        }),
      },
    ],
  })
}

async function readAll(
  kind: ObjectKind,
  { routes: { queries }, scope, own: { by, reports } }: Pick<AllView, 'routes' | 'scope' | 'own'>,
) {
  const linesAt = (at: Scope, withGrades: boolean): Promise<Line[]> =>
    kind === 'manager'
      ? queries.managers(at, reports === 'all' ? undefined : 1, withGrades)
      : queries.groups(at, by === undefined ? kind : toAttributeKey(by), withGrades)
  const [current, past, frame, whole] = await Promise.all([
    linesAt(scope, true),
    linesAt(earlier(scope, pastDays[0]), false),
    queries.frame(scope),
    queries.counts(scope),
  ])
  const rates = new Map(past.map(({ id, on_time_rate }) => [id, on_time_rate]))
  const options = kind === 'team' ? frame.options.teams : frame.options.challenges
  const names = new Map(by === undefined ? options.map(({ id, name }) => [id, name]) : [])
  const lines = current
    .map((line): Line => {
      const name = kind === 'manager' ? line.name : (names.get(line.id) ?? line.id)
      return { ...line, name, before: rates.get(line.id) ?? null }
    })
    .sort(
      (a, b) =>
        b.overdue - a.overdue ||
        a.name.localeCompare(b.name, 'en', { numeric: true }) ||
        (a.id < b.id ? -1 : 1),
    )
  return { ...frame, answer: answerOf(scope), lines, whole }
}

const nameOf = (kind: ObjectKind, by: string | undefined, line: Line) =>
  by === undefined ? rowName(line, kind) : line.id || t('No value')

function mostOverdue(
  kind: ObjectKind,
  by: string | undefined,
  lines: readonly Line[],
  format: Format,
): string | undefined {
  const [most] = lines
  if (most === undefined) return undefined
  if (most.overdue === 0) return t('Nothing is overdue.')
  const name = kind === 'manager' || by !== undefined ? nameOf(kind, by, most) : nameInSentence(most, kind)
  const words = { name, n: format.count(most.overdue), all: format.count(most.assigned) }
  return t('Most overdue: {name}, {n} of {all} assigned.', words)
}

function tableOf(kind: ObjectKind, { own: { by, reports }, data }: AllView) {
  const depth: Narrow = kind === 'manager' && reports !== 'all' ? { manager_depth: '1' } : {}
  return linesTable({
    kind: by ?? kind,
    head: () => by ?? t(objectWords[kind].noun),
    label: objectWords[kind].all,
    narrow: ({ id }) => ({ [by === undefined ? kind : toAttributeKey(by)]: id, ...depth }),
    href: ({ id }, context) => toPage(context, kind, by, id, reports === 'all'),
    nameOf: (line) => nameOf(kind, by, line),
    whole: data.whole.on_time_rate.value,
  })
}

/** A line without a page, or without one for this reader, leads to Home with its filter. `null`: there is no filter. */
function toPage(context: PageContext, kind: ObjectKind, by: string | undefined, id: string, isAll: boolean) {
  const params = allFilters(context)
  const hasPage = canOpen(context, `${objectPaths[kind]}/:id`)
  if (id === '') return by === undefined && kind === 'team' && hasPage ? withoutTeamHref('/', params) : null
  if (by !== undefined || !hasPage)
    return href('/', withChange(params, { [by === undefined ? kind : toAttributeKey(by)]: id }))
  return objectHref(kind, id, params, kind === 'manager' && isAll ? { reports: 'all' } : {})
}

/** Teams or the values of an attribute; direct reports or everyone below. */
function toWays(kind: ObjectKind, view: AllView, attributes: readonly string[]) {
  const others = { page: null, find: null }
  if (kind === 'manager') return reportsSwitch(view, others)
  if (kind === 'challenge' || attributes.length === 0) return null
  const ways = [undefined, ...attributes].map((name) => ({
    name: name ?? t('Teams'),
    href: view.to({ by: name ?? null, ...others }),
    isShown: view.own.by === name,
  }))
  return <Segments label={t('Lines by')} links={ways} keepsPlace />
}
