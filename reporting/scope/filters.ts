/**
 * The table of filters: every filter and option of METRICS.md, one entry each. URL keys, OpenAPI parameters, SQL and chips come from here.
 */
import { z } from 'zod'
import { agingBuckets, effectiveStatuses, periods } from '../../schemas/metrics/answer.ts'
import { maxTrendPeriods, toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import { isNot, people, state, type Expression } from '../../schemas/metrics/expression.ts'
import { agingFacts } from '../../schemas/metrics/facts.ts'
import { metricKeys } from '../../schemas/metrics/metrics.ts'
import { findPart } from '../../schemas/metrics/parts.ts'
import { scopeFacts, scopeGaps, type Scope } from '../../schemas/metrics/scope.ts'
import {
  choices,
  dateWindow,
  ids,
  readWindow,
  several,
  windowParameters,
  type Filter,
  type Where,
} from './filter.ts'
import { toInstant } from './instants.ts'
import { isTimeZone } from '../../schemas/metrics/time-zone.ts'

const dueEnds = ['end_of_day', 'instant'] as const
const notAZone = { code: 'not_a_zone' } as const

const word = (values: readonly [string, ...string[]], description: string) =>
  z.enum(values).optional().meta({ description })
const zone = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: ['Europe/Berlin'] })
const toZone = (text: string) => (isTimeZone(text) ? text : undefined)
const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string) =>
    values.find((value) => value === text)

const timeZone: Filter<'tz'> = {
  parameters: { tz: zone('Reporting zone: days, weeks, months. Default: the setting') },
  read: (parameters, scope) => ({
    timeZone: parameters.one('tz', toZone, notAZone) ?? scope.timeZone,
  }),
  words: { tz: { label: 'Time zone' } },
}

const moment: Filter<'as_of'> = {
  parameters: {
    as_of: z
      .string()
      .optional()
      .meta({
        description:
          'The moment: an instant with offset, or a date = its last millisecond in the reporting zone (today’s = now). Default: now',
        examples: ['2026-03-31', '2026-03-31T12:00:00Z'],
      }),
  },
  read: (parameters, { timeZone, now }) => ({
    asOf: parameters.one('as_of', (text) => toInstant(text, timeZone, now), { code: 'not_a_moment' }) ?? now,
  }),
  words: { as_of: { label: 'As of' } },
}

const due: Filter<'due_zone' | 'due_end'> = {
  parameters: {
    due_zone: zone('Due zone: who is late. Default: the setting'),
    due_end: word(dueEnds, 'When a due day ends. Default: the setting'),
  },
  read: (parameters, scope) => ({
    dueZone: parameters.one('due_zone', toZone, notAZone) ?? scope.dueZone,
    dueEnd: parameters.one('due_end', oneOf(dueEnds), { code: 'not_a_due_end' }) ?? scope.dueEnd,
  }),
  words: {
    due_zone: { label: 'Due zone' },
    due_end: {
      label: 'Late from',
      value: (text) => (text === 'instant' ? 'the due instant' : 'the end of the due day'),
    },
  },
}

const period: Filter<'period'> = {
  parameters: { period: word(periods, 'Of cohorts and trend. Default: week') },
  read: (parameters) => ({
    period:
      parameters.one('period', oneOf(periods), {
        code: 'not_in_list',
        values: { values: periods.join(', ') },
      }) ?? 'week',
  }),
  words: {},
}

const dueSoon: Filter<'due_soon_days'> = {
  parameters: { due_soon_days: z.int().min(0).max(365).optional().meta({ description: 'Default: 7' }) },
  read: (parameters) => ({
    dueSoonDays: parameters.one('due_soon_days', toDays, { code: 'not_a_number_of_days' }) ?? 7,
  }),
  words: { due_soon_days: { label: 'Due soon, days' } },
}

const leavers: Filter<'include_leavers'> = {
  parameters: {
    include_leavers: word(['true', 'false'], 'Whether people who have left count. Default: false'),
  },
  read: (parameters) => ({
    includeLeavers: parameters.one('include_leavers', toBoolean, { code: 'not_true_or_false' }) ?? false,
  }),
  // Members of a team are asked for without those who have left.
  where: ({ includeLeavers, team }) =>
    includeLeavers || team.length > 0 ? null : { row: isNot(people('left')), isNamed: true },
  words: {
    include_leavers: {
      label: 'People who have left',
      value: (text) => (text === 'true' ? 'included' : null),
    },
  },
}

/** Who is under a manager is asked of the store: `readUnder` and `toMetricSql`. */
const managers: Filter<'manager' | 'manager_depth'> = {
  parameters: {
    manager: several(z.string(), 'User ids of managers: everybody who reports to them, directly or not'),
    manager_depth: z.int().min(1).max(9_999).optional().meta({
      description: 'At most so many links below a manager; 1 = direct reports only. Needs `manager`',
    }),
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

/** After zones, moment and period, which decide how many periods a range has. */
const trend: Filter<'trend_from' | 'trend_to'> = {
  parameters: windowParameters(
    'trend',
    'First date of the trend. Default: 11 periods before the last',
    `Last date of the trend: at most ${maxTrendPeriods} periods after trend_from. Default: the period of the moment`,
  ),
  read(parameters, scope) {
    const window = readWindow(parameters, 'trend', 'trendFrom', 'trendTo')
    if (toTrendPeriods({ ...scope, ...window }) !== undefined) return window
    parameters.refuse(['trend_from'], { code: 'trend_too_long', values: { n: maxTrendPeriods } })
    return window.trendTo === undefined ? {} : { trendTo: window.trendTo }
  },
  words: { trend_from: { label: 'Trend from' }, trend_to: { label: 'Trend to' } },
}

/** One part of a metric, as `/api/metrics/explain` names them: of rows only, because it narrows no number. */
const part: Filter<'metric' | 'part'> = {
  parameters: {
    metric: z
      .enum(metricKeys)
      .optional()
      .meta({ description: 'With `part`: only the rows that this part of the metric counts' }),
    part: z
      .string()
      .optional()
      .meta({
        description:
          'A part of `metric`, as `/api/metrics/explain` names them; a line of a list of periods as `2026-11-16.graded`, a bin of grades as `bin.70`',
        examples: ['numerator', 'excluded.no_due_date'],
      }),
  },
  read(parameters, scope) {
    const metric = parameters.one('metric', (text) => metricKeys.find((key) => key === text), {
      code: 'not_a_metric',
    })
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
  timeZone,
  moment,
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
  due,
  period,
  dueSoon,
  leavers,
  trend,
] as const satisfies readonly Filter<never>[]

/** The conditions of a scope on an assignment. Nothing else asks whether a filter is set. */
export function whereOf(scope: Scope): Where[] {
  return filters.map((filter: Filter) => filter.where?.(scope) ?? null).filter((each) => each !== null)
}

/** Filters of rows only: no number and no `/api/metrics` takes them. */
export const rowFilters = [part] as const satisfies readonly Filter<never>[]

type KeysOf<Entry> = Entry extends Filter<infer Key> ? Key : never

/** A parameter of a scope in a URL. */
export type ScopeKey = KeysOf<(typeof filters)[number]>

/** A parameter of rows besides those of their scope. */
export type RowKey = KeysOf<(typeof rowFilters)[number]>

export const rowParameters = Object.assign({}, ...rowFilters.map(({ parameters }) => parameters)) as Record<
  RowKey,
  z.ZodType
>

export const rowKeys = Object.keys(rowParameters) as RowKey[]

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

export function isRowKey(name: string): name is RowKey {
  return Object.hasOwn(rowParameters, name)
}

function toDays(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= 365 ? Number(text) : undefined
}

function toDepth(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined
}

function toBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}
