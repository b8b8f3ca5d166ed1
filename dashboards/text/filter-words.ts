/** The filters of a page in words, one chip each: shown with a link that takes it away, printed, and named in exports. */
import type { Overview } from '../../reporting/metrics/overview.ts'
import { type ScopeKey, scopeParams, withChange, without } from '../url/page-url.ts'
import { daysOfRange } from '../url/range.ts'
import type { Format } from './format.ts'

export type Chip = { key: ScopeKey; label: string; value: string; rest: URLSearchParams }

const labels: Partial<Record<ScopeKey, string>> = {
  challenge: 'Challenge',
  team: 'Team',
  status: 'Status',
  fact: 'Only',
  aging: 'Days overdue',
  range: 'Assigned',
  assigned_from: 'Assigned from',
  assigned_to: 'Assigned to',
  completed_from: 'Completed from',
  completed_to: 'Completed to',
  due_from: 'Due from',
  due_to: 'Due to',
  as_of: 'As of',
  tz: 'Time zone',
  due_zone: 'Due zone',
  due_end: 'Late from',
  due_soon_days: 'Due soon, days',
  trend_from: 'Trend from',
  trend_to: 'Trend to',
}

export function filterChips(params: URLSearchParams, options: Overview['options'], format: Format): Chip[] {
  const scope = scopeParams(params)
  return [...scope].flatMap(([key, value]): Chip[] => {
    const others = without(scope, key as ScopeKey, value)
    // How far below a manager says nothing without one.
    const rest = others.has('manager') ? others : withChange(others, { manager_depth: null })
    const chip = (label: string, text: string) => [{ key: key as ScopeKey, label, value: text, rest }]
    const name = (list: { id: string; name: string }[]) => list.find((option) => option.id === value)?.name || value
    switch (key as ScopeKey) {
      case 'compare':
      case 'period':
        return [] // How it is shown, not what of: both have a control of their own.
      case 'include_leavers':
        return value === 'true' ? chip('Leavers', 'included') : []
      case 'challenge':
        return chip('Challenge', name(options.challenges))
      case 'team':
        return chip('Team', name(options.teams))
      case 'manager':
        return chip('Under', name(options.people))
      case 'manager_depth':
        return chip('Reports', value === '1' ? 'direct only' : `at most ${value} links away`)
      case 'user':
        return chip('Person', name(options.people))
      case 'range':
        return chip('Assigned', rangeName(value))
      default:
        return chip(labels[key as ScopeKey] ?? key, valueWords(value, format))
    }
  })
}

export function rangeName(range: string): string {
  const days = daysOfRange(range)
  return days === null ? range : days === 365 ? 'last 12 months' : `last ${days} days`
}

function valueWords(value: string, format: Format): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))) return format.dayYear(value)
  if (/^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))) return format.instant(value)
  return value.replaceAll('_', ' ')
}
