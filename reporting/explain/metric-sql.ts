/**
 * The SQL of a metric as an analyst would write it against the documented views, with the scope's values in it: runnable as it
 * stands. A test runs each and compares it with the metric.
 */
import { join } from 'node:path'
import { openSections } from '../../schemas/clickhouse/sections.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { rulesOf, toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { metricOf, type Metric, type RateShape } from '../../schemas/metrics/metrics.ts'
import {
  columnOf,
  printDay,
  toSqlInstant,
  toSqlText,
  toSqlTexts,
  toViewCondition,
  toViewSql,
} from '../expressions/view-sql.ts'
import { isUnlikePages, toOddZoneWords, whatToUpdate, type OddZone } from '../queries/zones.ts'
import type { Where } from '../scope/filter.ts'
import { whereOf } from '../scope/filters.ts'

/** The metrics that do not follow from facts alone. */
const readSql = openSections(join(import.meta.dirname, 'metrics.sql'))

/** The days before one in its period. */
const daysBefore = {
  day: '',
  week: ' - (toDayOfWeek(day_of(moment)) - 1)',
  month: ' - (toDayOfMonth(day_of(moment)) - 1)',
}

/** Ids of the people to whom a scope is narrowed, `null` where it is not. */
type People = readonly string[] | null

/** `under`: the people under the managers of the scope. `oddZones`: of the scope, in which the engine has other rules than Node. */
export function toMetricSql(
  metric: keyof Metrics,
  scope: Scope,
  under: People,
  oddZones: readonly OddZone[] = [],
): string {
  return toStatement(toGenerated(metricOf(metric)) ?? readSql(metric), { scope, under, oddZones })
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
  if (metric.by === 'rates') return toRatesSql(metric)
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

/** Each assignment has a case of each rate: why it is left out, or whether it counts in the numerator. */
function toRatesSql({ of, rates }: Extract<Metric, { by: 'rates' }>): string {
  const tuple =
    'Tuple(value Nullable(Float64), numerator UInt64, denominator UInt64, excluded Map(String, UInt64))'
  const names = Object.keys(rates)
  const toTuple = (name: string) => {
    const countOf = (reason: string) => `countIf(${name}_case = '${reason}')`
    const [numerator, denominator] = [
      countOf('numerator'),
      `countIf(${name}_case IN ('numerator', 'remainder'))`,
    ]
    const reasons = Object.keys(rates[name]?.excluded ?? {}).map(
      (reason) => `'${reason}', ${countOf(reason)}`,
    )
    return `    CAST((
        if(${denominator} = 0, NULL, ${numerator} / ${denominator}),
        ${numerator},
        ${denominator},
        map(
            ${reasons.join(',\n            ')}
        )
    ), '${tuple}') AS ${name}`
  }
  const toCase = ([name, { excluded, numerator }]: [string, RateShape]) => {
    const cases = Object.entries({ ...excluded, numerator }).map(
      ([to, when]) => `${toViewCondition(when)}, '${to}'`,
    )
    return `        multiIf(\n            ${[...cases, `'remainder'`].join(',\n            ')}\n        ) AS ${name}_case`
  }
  return `SELECT
    count() AS value,
${names.map(toTuple).join(',\n')}
FROM
(
    SELECT
${Object.entries(rates).map(toCase).join(',\n')}
    FROM scope
    WHERE ${toViewCondition(of)}
)`
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

type Asked = { scope: Scope; under: People; oddZones: readonly OddZone[] }

function toStatement(file: string, asked: Asked): string {
  const text = file.trim()
  const [before, select] = text.startsWith(',') ? splitCte(text) : ['', text]
  const body = `${toScopeCte(asked)}${before}\n${select}`
  let used = body
  const definitions = toNames(asked).flatMap(([name, expression, why]) => {
    if (!new RegExp(`\\b${name}\\b`).test(used)) return []
    used += expression
    return [`    -- ${why}\n    ${expression} AS ${name},`]
  })
  const notes = asked.oddZones.filter(isUnlikePages).map((odd) => `-- ${toOddZoneWords(odd)} ${whatToUpdate}`)
  return toShort([...notes, 'WITH', ...definitions.toReversed(), body].join('\n'))
}

/** A file may begin with a further `name AS (...)` that it selects from. */
function splitCte(text: string): [string, string] {
  const end = text.indexOf('\n)\n') + 3
  return [`,\n${indent(text.slice(1, end).trim())}`, text.slice(end)]
}

/** Names of a statement with their meaning. Each is before the names that it uses. */
function toNames({ scope, oddZones }: Asked): [string, string, string][] {
  const { asOf, timeZone, dueZone, dueEnd, period } = scope
  const periods = (toTrendPeriods(scope) ?? []).map((start) => `toDate32(${toSqlText(start)})`)
  const dayOf = (zone: string, rules: string) =>
    `(moment -> ${isOdd(zone) ? printDay('moment', rules, "'UTC'") : `toDate32(moment, ${toSqlText(zone)})`})`
  const isOdd = (zone: string) => oddZones.some((odd) => odd.zone === zone)
  const printRules = (zone: string, rules: string): [string, string, string][] => {
    const { starts, offsets } = rulesOf(zone)
    return [
      [`${rules}_offsets`, `[${offsets.join(', ')}]`, 'How far ahead of UTC, ms.'],
      [
        `${rules}_starts`,
        `[${starts.join(', ')}]`,
        `Since when the clocks of ${zone} are how far ahead of UTC, epoch ms.`,
      ],
    ]
  }
  return [
    ['periods', `CAST([${periods.join(', ')}], 'Array(Date32)')`, 'The periods of the trend.'],
    [
      'period_of',
      `(moment -> day_of(moment)${daysBefore[period]})`,
      'The period of a moment in the reporting zone.',
    ],
    dueEnd === 'instant'
      ? ['due_key', '(moment -> moment)', 'In time = not after the due instant.']
      : ['due_key', '(moment -> due_day_of(moment))', 'In time = not after the due day.'],
    ['day_of', dayOf(timeZone, 'zone'), 'The calendar day of a moment in the reporting zone.'],
    ['due_day_of', dayOf(dueZone, 'due_zone'), 'The calendar day of a moment in the due zone.'],
    ...(isOdd(timeZone) ? printRules(timeZone, 'zone') : []),
    ...(isOdd(dueZone) ? printRules(dueZone, 'due_zone') : []),
    ['as_of', `toDateTime64(${toSqlInstant(asOf)}, 3, 'UTC')`, 'The moment.'],
  ]
}

function toScopeCte({ scope, under }: Asked): string {
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
  const attributes = scope.attribute.map(
    ([name, of]) => `has(${toSqlTexts(of)}, user_attributes[${toSqlText(name)}])`,
  )
  const people = {
    teams: `hasAny(teams, ${toSqlTexts(scope.team)})`,
    any_team: 'notEmpty(teams)',
    attributes: attributes.join(' AND '),
  }
  return [toViewSql(where.row, people)]
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
