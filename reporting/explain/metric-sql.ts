/**
 * The SQL of a metric as an analyst would write it against the documented views, with the scope's values in it: runnable as it
 * stands. A test runs each and compares it with the metric.
 */
import { join } from 'node:path'
import { openSections } from '../../schemas/clickhouse/sections.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { metricOf, type Metric } from '../../schemas/metrics/metrics.ts'
import { columnOf, toSqlInstant, toSqlText, toSqlTexts, toViewCondition, toViewSql } from '../expressions/view-sql.ts'
import type { Where } from '../scope/filter.ts'
import { whereOf } from '../scope/filters.ts'

/** The metrics that do not follow from facts alone. */
const readSql = openSections(join(import.meta.dirname, 'metrics.sql'))

/** The days of a moment before the first one of its period. A `Date` begins in 1970 and a period perhaps before, hence `Date32`. */
const daysBefore = {
  day: '',
  week: ' - (toDayOfWeek(moment, 0, zone) - 1)',
  month: ' - (toDayOfMonth(moment, zone) - 1)',
}

/** Ids of the people to whom a scope is narrowed, `null` where it is not. */
type People = readonly string[] | null

/** `under`: the people under the managers of the scope. */
export function toMetricSql(metric: keyof Metrics, scope: Scope, under: People): string {
  const shape = metricOf(metric)
  return toStatement(toGenerated(shape) ?? readSql(metric), scope, under)
}

/** SQL of metrics that follow from facts alone; the others are written by hand. */
function toGenerated(metric: Metric): string | undefined {
  if (metric.by === 'count') return `SELECT countIf(${toViewCondition(metric.of)}) AS value\nFROM scope`
  if (metric.by === 'lines') {
    const lines = Object.entries(metric.lines).map(
      ([name, of]) => `        ('${name}', countIf(${toViewCondition(of)}))`,
    )
    return [
      `SELECT each.1 AS ${metric.name}, each.2 AS count`,
      'FROM',
      '(',
      `    SELECT arrayJoin([\n${lines.join(',\n')}\n    ]) AS each`,
      '    FROM scope',
      ')',
    ].join('\n')
  }
  if (metric.by === 'duration') return toDurationSql(metric)
  if (metric.by !== 'rate') return undefined
  const reasons = Object.entries(metric.excluded)
  const branches = reasons.map(([reason, of]) => `            ${toViewCondition(of)}, '${reason}',`)
  const counts = reasons.map(([reason]) => `        '${reason}', countIf(reason = '${reason}')`)
  return [
    'SELECT',
    '    if(denominator = 0, NULL, numerator / denominator) AS value,',
    `    countIf(reason = '' AND ${toViewCondition(metric.numerator)}) AS numerator,`,
    `    countIf(reason = '') AS denominator${reasons.length === 0 ? '' : ','}`,
    ...(reasons.length === 0 ? [] : ['    map(', counts.join(',\n'), '    ) AS excluded']),
    'FROM',
    '(',
    '    SELECT',
    '        *,',
    ...(reasons.length === 0
      ? [`        '' AS reason`]
      : [
          '        -- The first that holds leaves it out.',
          '        multiIf(',
          ...branches,
          `            ''`,
          '        ) AS reason',
        ]),
    '    FROM scope',
    ...(metric.of === 'all' ? [] : [`    WHERE ${toViewCondition(metric.of)}`]),
    ')',
  ].join('\n')
}

function toDurationSql({ of, from, to, ended, unknown }: Extract<Metric, { by: 'duration' }>): string {
  const began = `assumeNotNull(${columnOf(from)})`
  return [
    ', measured AS',
    '(',
    '    SELECT',
    `        NOT ${toViewCondition(unknown)} AS is_known,`,
    `        ${toViewCondition(ended)} AS has_ended,`,
    `        greatest(0, dateDiff('millisecond', ${began}, if(has_ended, ifNull(${columnOf(to)}, ${began}), as_of))) AS wait_ms`,
    '    FROM scope',
    ...(of === 'all' ? [] : [`    WHERE ${toViewCondition(of)}`]),
    ')',
    '',
    readSql('durations'),
  ].join('\n')
}

/** The bytes of one statement that ClickHouse reads unless it is set to read more. */
const longestStatement = 262_144

/** A statement that names too many people to be run says so, and nothing else. */
function toShort(sql: string): string {
  const size = Buffer.byteLength(sql)
  if (size <= longestStatement) return sql
  const reason =
    `This statement would be ${Math.ceil(size / 1024)} KiB long, because it names everybody under the managers: ` +
    `ClickHouse reads ${longestStatement / 1024} KiB. Filter by a team or by one manager, or take the CSV.`
  return `-- ${reason}\nSELECT ${toSqlText(reason)} AS error\n`
}

function toStatement(file: string, scope: Scope, under: People): string {
  const text = file.trim()
  const [before, select] = text.startsWith(',') ? splitCte(text) : ['', text]
  const names = toNames(scope).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text))
  const definitions = names.map(([name, expression, why]) => `    -- ${why}\n    ${expression} AS ${name},`)
  return toShort(['WITH', ...definitions, `${toScopeCte(scope, under)}${before}`, select].join('\n'))
}

/** A file may begin with a further `name AS (...)` that it selects from. */
function splitCte(text: string): [string, string] {
  const end = text.indexOf('\n)\n') + 3
  return [`,\n${indent(text.slice(1, end).trim())}`, text.slice(end)]
}

function toNames(scope: Scope): [string, string, string][] {
  const { asOf, timeZone, dueZone, dueEnd, period } = scope
  const zone = toSqlText(timeZone)
  const periods = (toTrendPeriods(scope) ?? []).map((start) => `toDate32(${toSqlText(start)})`)
  return [
    ['as_of', `toDateTime64(${toSqlInstant(asOf)}, 3, 'UTC')`, 'The moment.'],
    [
      'due_key',
      dueEnd === 'instant' ? '(moment -> moment)' : `(moment -> toDate32(moment, ${toSqlText(dueZone)}))`,
      dueEnd === 'instant'
        ? 'In time = not after the due instant.'
        : 'In time = not after the due day, a calendar day of the due zone.',
    ],
    [
      'period_of',
      `(moment -> toDate32(moment, ${zone})${daysBefore[period].replace('zone', zone)})`,
      'The period of a moment in the reporting zone.',
    ],
    [
      'due_today',
      `toDate32(toDateTime64(${toSqlInstant(asOf)}, 3, 'UTC'), ${toSqlText(dueZone)})`,
      'The day of the moment in the due zone.',
    ],
    ['due_zone', toSqlText(dueZone), 'Days are those of this zone.'],
    ['due_soon_days', String(scope.dueSoonDays), 'Soon = within so many days.'],
    ['periods', `CAST([${periods.join(', ')}], 'Array(Date32)')`, 'The periods of the trend.'],
  ]
}

function toScopeCte(scope: Scope, under: People): string {
  const conditions = toConditions(scope, under)
  return [
    '    scope AS',
    '    (',
    '        SELECT *',
    `        FROM rollcall.${toView(scope)}(`,
    ...toMoment(scope).map((line) => `            ${line}`),
    '        )',
    ...conditions.map((condition, index) => `        ${index === 0 ? 'WHERE' : '    AND'} ${condition}`),
    '    )',
  ].join('\n')
}

function toView({ includeLeavers }: Scope): string {
  return includeLeavers ? 'assignments_all_as_of' : 'assignments_as_of'
}

function toMoment({ asOf, dueZone, dueEnd, dueSoonDays }: Scope): string[] {
  return [
    `as_of = ${toSqlInstant(asOf)},`,
    `due_zone = ${toSqlText(dueZone)},`,
    `due_end = ${toSqlText(dueEnd)},`,
    `due_soon_days = ${dueSoonDays}`,
  ]
}

function toConditions(scope: Scope, under: People): string[] {
  return [
    ...whereOf(scope).flatMap((where) => toCondition(where, scope)),
    ...(under === null ? [] : [`has(${toSqlTexts(under)}, ifNull(user_id, ''))`]),
  ]
}

/** People who have left are a matter of the view, those under a manager are named. */
function toCondition(where: Where, scope: Scope): string[] {
  if ('fact' in where) return [toViewCondition(where.fact)]
  if (where.isNamed === true) return []
  const attributes = scope.attribute.map(([name, of]) => `has(${toSqlTexts(of)}, user_attributes[${toSqlText(name)}])`)
  const people = {
    teams: `hasAny(teams, ${toSqlTexts(scope.team)})`,
    any_team: 'notEmpty(teams)',
    attributes: attributes.join(' AND '),
  }
  return [toViewSql(where.row, scope, people)]
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
