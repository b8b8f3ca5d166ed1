/** The state of a ranking besides its scope: order, search, and the page of lines. */
import type { GroupRow, ManagerRow } from '../../../reporting/statements/groups.ts'
import { foldText } from '../../../language/fold.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import type { ObjectKind } from '../../components/group-url.ts'
import { toKeyNotices } from '../../scope/parse-page.ts'
import { href } from '../../scope/page-url.ts'

export const lineSorts = [
  'name',
  'on_time',
  'change',
  'completion',
  'overdue',
  'awaiting',
  'grade',
  'assigned',
] as const
export type LineSort = (typeof lineSorts)[number]

export type LinesState = { sort: LineSort; descending: boolean; find: string; page: number }

export const linesKeys = ['sort', 'find', 'page', 'reports', 'by']

export const linesPerPage = 100

const usual: Record<ObjectKind, Pick<LinesState, 'sort' | 'descending'>> = {
  challenge: { sort: 'on_time', descending: false },
  team: { sort: 'on_time', descending: false },
  manager: { sort: 'overdue', descending: true },
}

export function parseLinesState(kind: ObjectKind, query: URLSearchParams): { state: LinesState; notices: string[] } {
  const text = query.get('sort') ?? ''
  const sort = lineSorts.find((each) => each === text.replace(/^-/, ''))
  const page = /^[1-9]\d{0,8}$/.exec(query.get('page') || '1')?.[0]
  return {
    state: {
      ...(sort === undefined ? usual[kind] : { sort, descending: text.startsWith('-') }),
      find: (query.get('find') ?? '').trim().slice(0, 200),
      page: Number(page ?? 1),
    },
    notices: toKeyNotices(query, { sort, page }),
  }
}

export function linesHref(
  path: string,
  params: URLSearchParams,
  state: LinesState,
  choice: Record<string, string>,
  change: Partial<LinesState>,
): string {
  const next = { ...state, page: 1, ...change }
  const sort = `${next.descending ? '-' : ''}${next.sort}`
  return href(path, params, { ...choice, sort, find: next.find, page: next.page > 1 ? String(next.page) : null })
}

/** `before`: on time four weeks earlier; `null`: there was none. Left out: the table has one moment. */
export type Line = GroupRow &
  Partial<Pick<ManagerRow, 'people' | 'reports'>> & { before?: GroupRow['on_time_rate'] | null }

/** The change of the share on time in four weeks; `null`: too few are decided, now or then. */
export function toChange({ on_time_rate: now, before }: Line): number | null {
  if (!before || Math.min(now.denominator, before.denominator) < fewestToRank) return null
  return now.value === null || before.value === null ? null : now.value - before.value
}

const values: Record<Exclude<LineSort, 'name'>, (line: Line) => number | null> = {
  on_time: (line) => line.on_time_rate.value,
  change: toChange,
  completion: (line) => line.completion_rate.value,
  overdue: (line) => line.overdue,
  awaiting: (line) => line.awaiting_grading,
  grade: (line) => line.grade.median,
  assigned: (line) => line.assigned,
}

/** Found by name or id, in order; unknown values, and rates of a few, come last. */
export function arrange<Row extends Line>(lines: readonly Row[], { sort, descending, find }: LinesState): Row[] {
  const needle = foldText(find)
  const byName = (a: Row, b: Row) => a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.id < b.id ? -1 : 1)
  const matches = lines.filter(({ id, name }) => foldText(`${name} ${id}`).includes(needle))
  if (sort === 'name') return matches.sort((a, b) => (descending ? byName(b, a) : byName(a, b)))
  const isFew = (line: Row) => sort === 'on_time' && line.on_time_rate.denominator < fewestToRank
  return matches.sort((a, b) => {
    const [x, y] = [values[sort](a), values[sort](b)]
    const last = Number(isFew(a) || x === null) - Number(isFew(b) || y === null)
    if (last !== 0) return last
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a, b)
    return (descending ? y - x : x - y) || b.overdue - a.overdue || byName(a, b)
  })
}
