/**
 * The SQL of a metric as an analyst would write it against the documented views, with the scope's values in it: runnable as it
 * stands. A test runs each and compares it with the metric.
 */
import { join } from 'node:path'
import { openSections } from '../../schemas/clickhouse/sections.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { rulesOf, toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Condition } from '../../schemas/metrics/facts.ts'
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
  key: keyof Metrics,
  scope: Scope,
  under: People,
  oddZones: readonly OddZone[] = [],
): string {
  const metric = metricOf(key)
  const asked = { scope, under, oddZones }
  if (metric.by === 'duration') return toStatement(asked, readSql('durations'), toMeasured(metric))
  return toStatement(asked, toSelect(metric) ?? readSql(key))
}

/** SQL of metrics that follow from facts alone; the others are written by hand. */
function toSelect(metric: Metric): string | undefined {
  if (metric.by === 'count') return `SELECT countIf(${toViewCondition(metric.of)}) AS value\nFROM scope`
  if (metric.by === 'lines') {
    const lines = Object.entries(metric.lines).map(
      ([name, of]) => `        ('${name}', countIf(${toViewCondition(of)}))`,
    )
    return `SELECT each.1 AS ${metric.name}, each.2 AS count
FROM
(
    SELECT arrayJoin([\n${lines.join(',\n')}\n    ]) AS each
    FROM scope
)`
  }
  if (metric.by === 'rate') {
    const { numerator, denominator, excluded } = toNumbers('part', metric)
    return toRates({ part: metric }, metric.of, [
      'if(denominator = 0, NULL, numerator / denominator) AS value',
      `${numerator} AS numerator`,
      `${denominator} AS denominator`,
      ...(Object.keys(metric.excluded).length === 0 ? [] : [`${excluded} AS excluded`]),
    ])
  }
  if (metric.by !== 'rates') return undefined
  const tuple =
    'Tuple(value Nullable(Float64), numerator UInt64, denominator UInt64, excluded Map(String, UInt64))'
  const tuples = Object.entries(metric.rates).map(([name, rate]) => {
    const { numerator, denominator, excluded } = toNumbers(`${name}_part`, rate)
    const value = `if(${denominator} = 0, NULL, ${numerator} / ${denominator})`
    const values = [value, numerator, denominator, excluded.replaceAll('\n', '\n    ')].join(',\n        ')
    return `CAST((\n        ${values}\n    ), '${tuple}') AS ${name}`
  })
  const parts = Object.entries(metric.rates).map(([name, rate]) => [`${name}_part`, rate])
  return toRates(Object.fromEntries(parts), metric.of, ['count() AS value', ...tuples])
}

function toNumbers(part: string, { excluded }: RateShape) {
  const counts = Object.keys(excluded).map((reason) => `'${reason}', countIf(${part} = '${reason}')`)
  return {
    numerator: `countIf(${part} = 'numerator')`,
    denominator: `countIf(${part} IN ('numerator', 'remainder'))`,
    excluded: `map(\n        ${counts.join(',\n        ')}\n    )`,
  }
}

/** Each assignment has a part of each rate: why it is left out, or whether it counts in the numerator. */
function toRates(rates: Record<string, RateShape>, of: Condition, columns: string[]): string {
  const parts = Object.entries(rates).map(([part, { excluded, numerator }]) => {
    const cases = Object.entries({ ...excluded, numerator }).map(
      ([to, when]) => `${toViewCondition(when)}, '${to}',`,
    )
    return ['multiIf(', ...cases, `'remainder'`].join('\n            ') + `\n        ) AS ${part}`
  })
  return `SELECT
    ${columns.join(',\n    ')}
FROM
(
    SELECT
        -- The first that holds.
        ${parts.join(',\n        ')}
    FROM scope${toWhere(of)}
)`
}

const toWhere = (of: Condition, indent = '    '): string =>
  of === 'all' ? '' : `\n${indent}WHERE ${toViewCondition(of)}`

function toMeasured({ of, from, to, ended, unknown }: Extract<Metric, { by: 'duration' }>): string {
  const began = `assumeNotNull(${columnOf(from)})`
  return `,
    measured AS
    (
        SELECT
            NOT ${toViewCondition(unknown)} AS is_known,
            ${toViewCondition(ended)} AS has_ended,
            greatest(0, dateDiff('millisecond', ${began}, if(has_ended, ifNull(${columnOf(to)}, ${began}), as_of))) AS wait_ms
        FROM scope${toWhere(of, '        ')}
    )`
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

/** `before`: further parts of the WITH, from a comma on. */
function toStatement(asked: Asked, select: string, before = ''): string {
  const body = `${toScopeCte(asked)}${before}\n\n${select}`
  let used = body
  const definitions = toNames(asked).flatMap(([name, expression, why]) => {
    if (!new RegExp(`\\b${name}\\b`).test(used)) return []
    used += expression
    return [`    -- ${why}\n    ${expression} AS ${name},`]
  })
  const notes = asked.oddZones.filter(isUnlikePages).map((odd) => `-- ${toOddZoneWords(odd)} ${whatToUpdate}`)
  return toShort([...notes, 'WITH', ...definitions.toReversed(), body].join('\n'))
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
    ...printRules(timeZone, 'zone'),
    ...printRules(dueZone, 'due_zone'),
    ['as_of', `toDateTime64(${toSqlInstant(asOf)}, 3, 'UTC')`, 'The moment.'],
  ]
}

function toScopeCte({ scope, under }: Asked): string {
  const { includeLeavers, asOf, dueZone, dueEnd, dueSoonDays } = scope
  const conditions = whereOf(scope).flatMap((where) => toCondition(where, scope))
  if (under !== null) conditions.push(`has(${toSqlTexts(under)}, ifNull(user_id, ''))`)
  return `    scope AS
    (
        SELECT *
        FROM rollcall.${includeLeavers ? 'assignments_all_as_of' : 'assignments_as_of'}(
            as_of = ${toSqlInstant(asOf)},
            due_zone = ${toSqlText(dueZone)},
            due_end = ${toSqlText(dueEnd)},
            due_soon_days = ${dueSoonDays}
        )${conditions.length === 0 ? '' : `\n        WHERE ${conditions.join('\n            AND ')}`}
    )`
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
