/** The filters of a page in words, one chip each: shown with a link that takes it away, printed, and named in exports. */
import type { Overview } from '../../reporting/metrics/overview.ts'
import type { Filter, FilterWords } from '../../reporting/scope/filter.ts'
import { filters, toAttribute } from '../../reporting/scope/filters.ts'
import { type PageKey, pageParams, withChange, without } from './page-url.ts'
import { daysOfRange } from './parse-page.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'
import { periods, type Metrics } from '../../schemas/metrics/answer.ts'
import type { Format } from '../../language/format.ts'
import { partWords } from './part-words.ts'
import { isolateText, lookUp, t } from '../../language/translate.ts'
import { own } from '../../schemas/own.ts'

/** `id`: the value in the address. */
export type Chip = { key: PageKey; id: string; label: string; value: string; rest: URLSearchParams }

/** A filter that only one page has, named in its files. `key`, `id`: as in the address. */
export type OwnFilter = { key: string } & Pick<Chip, 'id' | 'label' | 'value'>

/** `compare` and `period` have none: they say how to show, not what. */
const words: Partial<Record<string, FilterWords>> = Object.assign(
  { range: { label: 'Assigned', value: rangeName } },
  ...filters.map((filter: Filter) => filter.words),
) as Partial<Record<string, FilterWords>>

export function filterChips(params: URLSearchParams, options: Overview['options'], format: Format): Chip[] {
  const page = pageParams(params)
  return [...page].flatMap(([name, value]): Chip[] => {
    const key = name as PageKey
    const says = own(words, key)
    if (key === 'metric' || key === 'part') return key === 'part' ? partChip(page, format) : []
    const attribute = toAttribute(key)
    if (attribute !== undefined)
      return [
        { key, id: value, label: attribute, value: isolateText(value), rest: without(page, key, value) },
      ]
    if (says === undefined) return []
    const others = without(page, key, value)
    // The levels below a manager say nothing without one.
    const rest = others.has('manager') ? others : withChange(others, { manager_depth: null })
    const text = toText(says, value, options, format)
    return text === null
      ? []
      : [{ key, id: value, label: lookUp(says.label), value: isolateText(text), rest }]
  })
}

function partChip(page: URLSearchParams, format: Format): Chip[] {
  const [metric, name] = [page.get('metric'), page.get('part')]
  if (metric === null || name === null || !Object.hasOwn(metrics, metric)) return []
  const period = periods.find((each) => each === page.get('period')) ?? 'week'
  const { title, part } = partWords({ metric: metric as keyof Metrics, name }, period, format)
  return [
    {
      key: 'part',
      id: name,
      label: title,
      value: part,
      rest: withChange(page, { metric: null, part: null }),
    },
  ]
}

function toText(
  says: FilterWords,
  value: string,
  options: Overview['options'],
  format: Format,
): string | null {
  if (says.names !== undefined) return options[says.names].find(({ id }) => id === value)?.name || value
  if (says.value !== undefined) {
    const text = says.value(value)
    return text === null ? null : lookUp(text)
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return format.dayYear(value)
  if (/^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))) return format.instant(value)
  return lookUp(value.replaceAll('_', ' '))
}

const noNames: Overview['options'] = { challenges: [], teams: [], people: [], attributes: [] }

/** The filters of an address in one line. A value that is not in `options` is told by its id. */
export function filterWords(params: URLSearchParams, format: Format, options = noNames): string {
  return listFilters(filterChips(params, options, format)) || t('no filters')
}

/** For paper and sheets. Empty without filters. */
export function filtersInWords(
  params: URLSearchParams,
  format: Format,
  options = noNames,
  own: readonly OwnFilter[] = [],
): string {
  const filters = listFilters([...filterChips(params, options, format), ...own])
  return filters === '' ? '' : t('Filters: {filters}.', { filters })
}

function listFilters(filters: readonly Pick<Chip, 'label' | 'value'>[]): string {
  return filters.map(({ label, value }) => `${label} ${value}`).join('; ')
}

export function rangeName(range: string): string {
  const days = daysOfRange(range)
  return days === null ? range : days === 365 ? t('last 12 months') : t('last {days} days', { days })
}
