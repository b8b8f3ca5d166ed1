/** The strip of changes in words: the questions of a training manager on any day of the week. */
import type { ChangeCount, ChangeKind } from '../../reporting/metrics/changes.ts'
import type { Option } from '../../reporting/metrics/overview.ts'
import type { Format } from '../../language/format.ts'
import { t, type Message } from '../../language/translate.ts'

/** `mostly`: the team that holds at least half of them. */
export type WeekChange = {
  kind: keyof typeof kinds
  n: number
  words: string
  mostly: { id: string; n: number; words: string } | null
}

/** In the order of reading: trouble first. New assignments are in the numbers of a period. */
const kinds = {
  became_overdue: 'became overdue',
  completed: 'completed',
  failed: 'failed',
  regraded: 'regraded',
  deadline_moved: '{n, plural, one {due date moved} other {due dates moved}}',
} satisfies Partial<Record<ChangeKind, Message>>

type Count = Pick<ChangeCount, 'kind' | 'n' | 'by_team'>

/** Fewer than this are not worth a "mostly". */
const fewestForMostly = 3

export function weekChanges(
  counts: readonly Count[],
  teams: readonly Option[],
  filter: readonly string[],
  format: Format,
): WeekChange[] {
  return (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) => {
    const count = counts.find((each) => each.kind === kind)
    if (count === undefined || count.n === 0) return []
    const mostly = kind === 'became_overdue' ? mostlyIn(count, teams, filter, format) : null
    return [{ kind, n: count.n, words: t(kinds[kind], { n: count.n }), mostly }]
  })
}

function mostlyIn(count: Count, teams: readonly Option[], filter: readonly string[], format: Format) {
  // In one team they all are.
  if (filter.length === 1 || count.n < fewestForMostly) return null
  const most = mostOf(count.by_team, filter)
  if (most === undefined || most.n * 2 < count.n) return null
  const name = teams.find(({ id }) => id === most.id)?.name || most.id
  const words =
    most.n === count.n
      ? t('all of them in {name}', { name })
      : t('{n} of them in {name}', { n: format.count(most.n), name })
  return { id: most.id, n: most.n, words }
}

/**
 * The group with the most of a kind. Somebody in two teams counts in both, so where teams are chosen, only those can be
 * narrowed to without counting others.
 */
export function mostOf(groups: readonly { id: string; n: number }[], filter: readonly string[]) {
  return groups.find(({ id }) => id !== '' && (filter.length === 0 || filter.includes(id)))
}
