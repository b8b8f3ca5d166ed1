/**
 * The table of filters: every filter and option of METRICS.md, one entry each. URL keys, OpenAPI parameters, SQL and chips come from here.
 */
import { z } from 'zod'
import { agingBuckets, effectiveStatuses, periods } from '../../schemas/metrics/answer.ts'
import { maxTrendPeriods, toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import { isNot, people, state, type Expression } from '../../schemas/metrics/expression.ts'
import { agingFacts, scopeFacts } from '../../schemas/metrics/facts.ts'
import { metricKeys } from '../../schemas/metrics/metrics.ts'
import { findPart } from '../../schemas/metrics/parts.ts'
import { scopeGaps, type Scope } from '../../schemas/metrics/scope.ts'
import {
  choices,
  dateWindow,
  ids,
  optional,
  range,
  several,
  single,
  type Filter,
  type Where,
} from './filter.ts'
import { toInstant } from './instants.ts'
import { isTimeZone } from '../../schemas/metrics/time-zone.ts'

const dueEnds = ['end_of_day', 'instant'] as const

const zone = (description: string) => ({
  schema: optional(z.string(), description, ['Europe/Berlin']),
  read: (text: string) => (isTimeZone(text) ? text : undefined),
  wrong: { code: 'not_a_zone' } as const,
})
const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string) =>
    values.find((value) => value === text)

/** Who is under a manager is asked of the store: `readUnder` and `toMetricSql`. */
const managers: Filter<'manager' | 'manager_depth'> = {
  parameters: {
    manager: several(z.string(), 'User ids of managers: everybody who reports to them, directly or not'),
    manager_depth: optional(
      z.int().min(1).max(9_999),
      'At most so many links below a manager; 1 = direct reports only. Needs `manager`',
    ),
  },
  read(parameters) {
    const manager = parameters.all('manager')
    const managerDepth = parameters.one('manager_depth', toDepth, { code: 'not_a_depth' })
    if (managerDepth === undefined) return { manager }
    if (manager.length > 0) return { manager, managerDepth }
    parameters.refuse(['manager_depth'], { code: 'depth_without_manager' })
    return { manager }
  },
  where: ({ manager }) => (manager.length === 0 ? null : { row: people('under'), isNamed: true }),
  words: {
    manager: { label: 'Reports to', names: 'people' },
    manager_depth: {
      label: 'Levels',
      value: (text) => (text === '1' ? 'direct reports only' : `${text} at most`),
    },
  },
}

/** A parameter for each attribute that the settings allow: `attributeParameters`. */
const attributes: Filter<never> = {
  parameters: {},
  read: (parameters, _, { userAttributes: names = [] }) => ({
    attribute: names
      .map((name): [string, string[]] => [name, parameters.all(toAttributeKey(name))])
      .filter(([, values]) => values.length > 0),
  }),
  where: ({ attribute }) => (attribute.length === 0 ? null : { row: people('attributes') }),
  words: {},
}

const trendRange = range('trend', 'Trend', [
  'First date of the trend. Default: 11 periods before the last',
  `Last date of the trend: at most ${maxTrendPeriods} periods after trend_from. Default: the period of the moment`,
])
/** After zones, moment and period, which decide how many periods a range has. */
const trend: typeof trendRange = {
  ...trendRange,
  read(parameters, scope, settings) {
    const window = trendRange.read(parameters, scope, settings)
    if (toTrendPeriods({ ...scope, ...window }) !== undefined) return window
    parameters.refuse(['trend_from'], { code: 'trend_too_long', values: { n: maxTrendPeriods } })
    return window.trendTo === undefined ? {} : { trendTo: window.trendTo }
  },
}

/** Filters of rows only: no number and no `/api/metrics` takes them. One part of a metric, as `/api/metrics/explain` names them. */
export const rowFilter: Filter<'metric' | 'part'> = {
  parameters: {
    metric: optional(z.enum(metricKeys), 'With `part`: only the rows that this part of the metric counts'),
    part: optional(
      z.string(),
      'A part of `metric`, as `/api/metrics/explain` names them; a line of a list of periods as `2026-11-16.graded`, a bin of grades as `bin.70`',
      ['numerator', 'excluded.no_due_date'],
    ),
  },
  read(parameters, scope) {
    const metric = parameters.one('metric', oneOf(metricKeys), { code: 'not_a_metric' })
    const name = parameters.one('part', (text) => text, { code: 'no_such_part' })
    if (metric === undefined && name === undefined) return {}
    if (metric !== undefined && name !== undefined && findPart(metric, name, scope.period) !== undefined)
      return { part: { metric, name } }
    parameters.refuse(['part', 'metric'], { code: 'no_such_part' })
    return {}
  },
  words: { metric: { label: 'Metric' }, part: { label: 'Part' } },
}

/** A parameter of its own: any text may be the id of a team. */
const gaps: Filter<'without'> = {
  parameters: {
    without: several(
      z.enum(scopeGaps),
      '`team`: only assignments of people who are in no team, or of nobody',
    ),
  },
  read(parameters) {
    const without = parameters.choose('without', scopeGaps)
    return without.length === 0 ? {} : { without }
  },
  where: ({ without = [] }) => (without.length === 0 ? null : { row: isNot(people('any_team')) }),
  words: { without: { label: 'Team', value: () => 'none' } },
}

const among =
  (column: 'challenge_id' | 'user_id') =>
  (ids: readonly string[]): Expression => ({ is: 'among', column, ids })

export const filters = [
  ids('challenge', 'Challenge ids', { label: 'Challenge', names: 'challenges' }, among('challenge_id')),
  ids('team', 'Team (group) ids', { label: 'Team', names: 'teams' }, () => people('teams')),
  gaps,
  managers,
  attributes,
  ids('user', 'User ids', { label: 'Person', names: 'people' }, among('user_id')),
  choices('status', effectiveStatuses, 'Effective status', { label: 'Status' }, (status) => status),
  choices('fact', scopeFacts, 'Facts, any of which holds', { label: 'Only' }, (fact) => fact),
  choices('aging', agingBuckets, 'Days overdue', { label: 'Days overdue' }, (bucket) => agingFacts[bucket]),
  single('tz', 'timeZone', {
    ...zone('Reporting zone: days, weeks, months. Default: the setting'),
    words: { label: 'Time zone' },
  }),
  single('as_of', 'asOf', {
    schema: optional(
      z.string(),
      'The moment: an instant with offset, or a date = its last millisecond in the reporting zone (today’s = now). Default: now',
      ['2026-03-31', '2026-03-31T12:00:00Z'],
    ),
    read: (text, { timeZone, now }) => toInstant(text, timeZone, now),
    wrong: { code: 'not_a_moment' },
    words: { label: 'As of' },
  }),
  dateWindow('assigned', 'Created, in the reporting zone,', 'Assigned', {
    at: 'created_at',
    zone: 'reporting',
  }),
  dateWindow('completed', 'Completed, in the reporting zone,', 'Completed', {
    at: 'completed_at',
    zone: 'reporting',
    of: state('completed'),
  }),
  dateWindow('due', 'Due, in the due zone,', 'Due', { at: 'due_date', zone: 'due' }),
  single('due_zone', 'dueZone', {
    ...zone('Due zone: who is late. Default: the setting'),
    words: { label: 'Due zone' },
  }),
  single('due_end', 'dueEnd', {
    schema: optional(z.enum(dueEnds), 'When a due day ends. Default: the setting'),
    read: oneOf(dueEnds),
    wrong: { code: 'not_a_due_end' },
    words: {
      label: 'Late from',
      value: (text) => (text === 'instant' ? 'the due instant' : 'the end of the due day'),
    },
  }),
  single('period', 'period', {
    schema: optional(z.enum(periods), 'Of cohorts and trend. Default: week'),
    read: oneOf(periods),
    wrong: { code: 'not_in_list', values: { values: periods.join(', ') } },
  }),
  single('due_soon_days', 'dueSoonDays', {
    schema: optional(z.int().min(0).max(365), 'Default: 7'),
    read: (text) => (/^\d{1,3}$/.test(text) && Number(text) <= 365 ? Number(text) : undefined),
    wrong: { code: 'not_a_number_of_days' },
    words: { label: 'Due soon, days' },
  }),
  single('include_leavers', 'includeLeavers', {
    schema: optional(z.enum(['true', 'false']), 'Whether people who have left count. Default: false'),
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    wrong: { code: 'not_true_or_false' },
    // Members of a team are asked for without those who have left.
    where: ({ includeLeavers, team }) =>
      includeLeavers || team.length > 0 ? null : { row: isNot(people('left')), isNamed: true },
    words: { label: 'People who have left', value: (text) => (text === 'true' ? 'included' : null) },
  }),
  trend,
] as const satisfies readonly Filter<never>[]

/** The conditions of a scope on an assignment. Nothing else asks whether a filter is set. */
export function whereOf(scope: Scope): Where[] {
  return filters.map((filter: Filter) => filter.where?.(scope) ?? null).filter((each) => each !== null)
}

type KeysOf<Entry> = Entry extends Filter<infer Key> ? Key : never

/** A parameter of a scope in a URL. */
export type ScopeKey = KeysOf<(typeof filters)[number]>
/** A parameter of rows besides those of their scope. */
export type RowKey = KeysOf<typeof rowFilter>

export const rowKeys = Object.keys(rowFilter.parameters) as RowKey[]

/** The parameters of every entry, with their schemas. */
export const scopeParameters = Object.assign({}, ...filters.map(({ parameters }) => parameters)) as Record<
  ScopeKey,
  z.ZodType
>

export type AttributeKey = `attribute.${string}`

export const toAttributeKey = (name: string): AttributeKey => `attribute.${name}`

export function toAttribute(parameter: string): string | undefined {
  return parameter.startsWith('attribute.') ? parameter.slice('attribute.'.length) : undefined
}

export function attributeParameters(names: readonly string[] = []): Record<AttributeKey, z.ZodType> {
  const toParameter = (name: string) => several(z.string(), `Values of the attribute ${name} of people`)
  return Object.fromEntries(names.map((name) => [toAttributeKey(name), toParameter(name)]))
}

export const scopeKeys = Object.keys(scopeParameters) as ScopeKey[]

export function isScopeKey(name: string, attributes: readonly string[] = []): boolean {
  return Object.hasOwn(scopeParameters, name) || attributes.some((each) => toAttributeKey(each) === name)
}

function toDepth(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined
}
