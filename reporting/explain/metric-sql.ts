/**
 * The SQL of a metric as an analyst would write it against the documented views, with the scope's values in it: runnable as it
 * stands. A test runs each and compares it with the metric.
 */
import { join } from 'node:path'
import { createSqlReader } from '../../schemas/clickhouse/sql-reader.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Filter } from '../scope/filter.ts'
import { filters } from '../scope/filters.ts'
import { toSqlInstant, toSqlText, toSqlTexts } from './sql-literal.ts'

const readSql = createSqlReader(join(import.meta.dirname, 'sql'))
const readFigureSql = createSqlReader(join(import.meta.dirname, 'sql', 'figures'))

const periodFunctions = { day: 'toDate', week: 'toMonday', month: 'toStartOfMonth' }

/** Ids of the people to whom a scope is narrowed, `null` where it is not. */
type People = readonly string[] | null

/** Whose lines the reader may see, `null` where that is everybody. */
type Seen = { managers: readonly string[]; people: readonly string[] } | null

/** `under`: the people under the managers of the scope. */
export function toMetricSql(metric: keyof Metrics, scope: Scope, under: People): string {
  return toStatement(readSql(metric), scope, under)
}

export const figuresWithSql = [
  'overdue-by-team',
  'overdue-due-days',
  'grading-waiting',
  'grading-reviews',
  'grading-turnaround',
  'grading-by-challenge',
] as const
export type FigureWithSql = (typeof figuresWithSql)[number]

/** The same of a figure that shows something else than one metric. */
export function toFigureSql(figure: FigureWithSql, scope: Scope, under: People): string {
  return toStatement(readFigureSql(figure), scope, under)
}

/** Overdue by direct manager. The empty id: people whose manager is not known. */
export function toByManagerSql(scope: Scope, { under, seen }: { under: People; seen: Seen }): string {
  return toStatement(readFigureSql('overdue-by-manager'), scope, under, {
    comment: ['-- Somebody with two managers counts under both; people whose manager is not known have the empty one.'],
    own: [toLinesCte(scope, seen)],
  })
}

/** The lines of all challenges or teams, as the pages of all of them and the rankings have them. */
export function toGroupsSql(by: 'challenge' | 'team', scope: Scope, under: People): string {
  return toStatement(readFigureSql('groups', toGroupFlags(by)), scope, under)
}

/** The same of managers: of everybody at most `levels` links below each of them. At least 1. */
export function toManagersSql(levels: number, scope: Scope, { under, seen }: { under: People; seen: Seen }): string {
  return toStatement(readFigureSql('groups', toGroupFlags('manager')), scope, under, {
    own: [toLinesCte(scope, seen), toBelowCte(levels)],
  })
}

/** Who reports directly to whom at the moment. */
function toLinesCte({ asOf }: Scope, seen: Seen): string {
  const moment = `toDateTime64(${toSqlInstant(asOf)}, 3, 'UTC')`
  return [
    '    -- Who reports directly to whom at the moment.',
    '    lines AS',
    '    (',
    '        SELECT DISTINCT manager_id, user_id',
    '        FROM rollcall.reporting_lines',
    `        WHERE valid_from <= ${moment} AND valid_to > ${moment} AND stated_at <= greatest(${moment}, now64(3))`,
    `            AND manager_id NOT IN ('', user_id)`,
    ...(seen === null
      ? []
      : [
          `            AND has(${toSqlTexts(seen.managers)}, manager_id)`,
          `            AND has(${toSqlTexts(seen.people)}, user_id)`,
        ]),
    '    ),',
  ].join('\n')
}

/** Everybody under a manager: one join a level, each without doubles, so that circles end and shared managers cost nothing. */
function toBelowCte(levels: number): string {
  let below = 'SELECT manager_id, user_id FROM lines'
  for (let level = 2; level <= levels; level++) {
    below = [
      'SELECT DISTINCT above.manager_id AS manager_id, step.user_id AS user_id',
      `FROM (\n${indent(below)}\n) AS above`,
      'INNER JOIN steps AS step ON step.manager_id = above.user_id',
    ].join('\n')
  }
  return [
    ...(levels < 2
      ? []
      : [
          '    -- One link down, or none.',
          '    steps AS (SELECT manager_id, user_id FROM lines UNION ALL SELECT DISTINCT user_id, user_id FROM lines),',
        ]),
    `    -- Who is at most ${levels} ${levels === 1 ? 'link' : 'links'} below whom.`,
    '    below AS',
    '    (',
    '        SELECT manager_id, user_id AS person',
    '        FROM',
    '        (',
    indent(indent(indent(below))),
    '        )',
    '        WHERE manager_id != user_id',
    '    ),',
  ].join('\n')
}

function toGroupFlags(by: 'challenge' | 'team' | 'manager'): Record<string, boolean> {
  return { by_challenge: by === 'challenge', by_team: by === 'team', by_manager: by === 'manager' }
}

/** What ClickHouse reads of one statement unless it is set to read more, in bytes. */
const longestStatement = 262_144

/** A statement that names too many people to be run says so, and nothing else. */
function toShort(sql: string): string {
  const size = Buffer.byteLength(sql)
  if (size <= longestStatement) return sql
  const reason =
    `This statement would be ${Math.ceil(size / 1024)} KiB long, because it names everybody under the managers: ` +
    `ClickHouse reads ${longestStatement / 1024} KiB. Filter by a team or by one manager, or take the CSV.`
  return `-- ${reason}\nSELECT throwIf(true, ${toSqlText(reason)})\n`
}

/**
 * What a forecast is computed from: how long the assignments of its scope, and comparable ones of the past, took or have been
 * open, by days. `under` and `seen`: the people to whom the scope and the past are narrowed, `null` where they are not.
 */
export function toForecastSql(
  scope: Scope,
  past: Scope,
  { under, seen }: { under: readonly string[] | null; seen: readonly string[] | null },
): string {
  return toStatement(readFigureSql('forecast-waits'), scope, under, {
    comment: [
      '-- The forecast itself is computed outside SQL from these counts: a survival curve of the rows of the “past” (ended = completed,',
      '-- still waiting = failed and open) gives each open one of the “scope” its chance to be completed by a date.',
    ],
    own: [`${toScopeCte(past, seen, 'past')},`],
  })
}

/** How many of the scope awaited grading at each of these moments, by the state in force then. */
export function toBacklogSql(moments: readonly number[], scope: Scope, under: People): string {
  const counts = moments.map((moment) => {
    const then = { ...scope, asOf: moment }
    return [
      `SELECT toDateTime64(${toSqlInstant(moment)}, 3, 'UTC') AS moment, countIf(assignment_id IN (SELECT assignment_id FROM scope)) AS waiting`,
      `FROM rollcall.assignments_all_as_of(${toMoment(then).join(' ')})`,
      'WHERE awaiting_grading',
    ].join('\n')
  })
  return toShort(
    `WITH\n${toScopeCte(scope, under)}\nSELECT moment, waiting\nFROM\n(\n${indent(counts.join('\nUNION ALL\n'))}\n)\nORDER BY moment\n`,
  )
}

/** `own`: definitions beside those of every statement; `comment`: lines on top. */
function toStatement(
  file: string,
  scope: Scope,
  under: People,
  { own = [], comment = [] }: { own?: readonly string[]; comment?: readonly string[] } = {},
): string {
  const text = file.trim()
  const [before, select] = text.startsWith(',') ? splitCte(text) : ['', text]
  const names = toNames(scope).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text))
  const definitions = names.map(([name, expression, why]) => `    -- ${why}\n    ${expression} AS ${name},`)
  return toShort(
    [...comment, `WITH`, ...definitions, ...own, `${toScopeCte(scope, under)}${before}`, select].join('\n'),
  )
}

/** A file may begin with a further `name AS (...)` for what it selects from. */
function splitCte(text: string): [string, string] {
  const end = text.indexOf('\n)\n') + 3
  return [`,\n${indent(text.slice(1, end).trim())}`, text.slice(end)]
}

function toNames(scope: Scope): [string, string, string][] {
  const { asOf, timeZone, dueZone, dueEnd, period } = scope
  const zone = toSqlText(timeZone)
  const periods = (toTrendPeriods(scope) ?? []).map((start) => `toDate(${toSqlText(start)})`)
  return [
    ['as_of', `toDateTime64(${toSqlInstant(asOf)}, 3, 'UTC')`, 'The moment.'],
    [
      'due_key',
      dueEnd === 'instant' ? '(moment -> moment)' : `(moment -> toDate(moment, ${toSqlText(dueZone)}))`,
      dueEnd === 'instant'
        ? 'In time = not after the due instant.'
        : 'In time = not after the due day, a calendar day of the due zone.',
    ],
    [
      'period_of',
      `(moment -> ${periodFunctions[period]}(moment, ${zone}))`,
      'The period of a moment in the reporting zone.',
    ],
    [
      'due_today',
      `toDate(toDateTime64(${toSqlInstant(asOf)}, 3, 'UTC'), ${toSqlText(dueZone)})`,
      'The day of the moment in the due zone.',
    ],
    ['due_zone', toSqlText(dueZone), 'Days are those of this zone.'],
    ['due_soon_days', String(scope.dueSoonDays), 'Soon = within so many days.'],
    ['periods', `CAST([${periods.join(', ')}], 'Array(Date)')`, 'The periods of the trend.'],
  ]
}

function toScopeCte(scope: Scope, under: People, name = 'scope'): string {
  const conditions = toConditions(scope, under)
  return [
    `    ${name} AS`,
    '    (',
    '        SELECT *',
    `        FROM rollcall.${toView(scope)}(`,
    ...toMoment(scope).map((line) => `            ${line}`),
    '        )',
    ...conditions.map((condition, index) => `        ${index === 0 ? 'WHERE' : '    AND'} ${condition}`),
    '    )',
  ].join('\n')
}

/** With or without the assignments of people who have left. */
function toView({ includeLeavers }: Scope): string {
  return includeLeavers ? 'assignments_all_as_of' : 'assignments_as_of'
}

/** The parameters of both views. */
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
    ...filters.flatMap((filter: Filter) => filter.conditions?.(scope) ?? []),
    ...(under === null ? [] : [`has(${toSqlTexts(under)}, ifNull(user_id, ''))`]),
  ]
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
