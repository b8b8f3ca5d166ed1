/**
 * The analysts' views of assignments, printed from the tables of facts and columns (schemas/metrics). `npm run docs:data` writes them and the
 * view of events into schemas/clickhouse/views, and a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { columns, type Column, type Content } from '../schemas/metrics/columns.ts'
import { conditionOf, expressionOf, factBits, type Condition, type Fact } from '../schemas/metrics/facts.ts'
import { stateBits, type StateFact } from '../schemas/metrics/state-bits.ts'
import type { Instant } from '../schemas/metrics/version.ts'
import { printEventsView } from './print-events-view.ts'
import { printCondition, printDay, toVersionSql } from '../reporting/expressions/view-sql.ts'

const directory = join(import.meta.dirname, '../schemas/clickhouse/views')

const toSetting = (name: string, otherwise: string) =>
  `coalesce(nullIf({${name}:String}, ''), nullIf((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = '${name}'), ''), '${otherwise}') AS ${name}`
/** The moment, by parameters. Without a zone or a due end: those of the settings. */
const asked = `{as_of:DateTime64(3, 'UTC')} AS as_of, {due_soon_days:UInt16} AS due_soon_days,
    ${toSetting('due_zone', 'UTC')},
    ${toSetting('due_end', 'end_of_day')}`
/**
 * The zones of the settings have Node's rules (services/clickhouse/stored-settings.ts), so that views count as pages do; others those of
 * the engine.
 */
const zoneRules = `assumeNotNull((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = concat('zone ', due_zone))) AS stored_rules,
    if(stored_rules = '', due_zone, 'UTC') AS zone_name,
    JSONExtract(if(stored_rules = '', '[[0], [0], [0], [9000000000000000]]', stored_rules), 'Array(Array(Int64))') AS zone_rules,
    -- From when on (epoch ms) clocks are how far ahead of UTC (ms), when that begins by the clock itself, and when it ends.
    zone_rules[1] AS zone_starts, zone_rules[2] AS zone_offsets, zone_rules[3] AS zone_local_starts, zone_rules[4] AS zone_ends`
const meaning =
  "Parameters: as_of (DateTime64), due_zone (tz name; '' = DUE_ZONE), due_end (end_of_day or instant; '' = DUE_END), due_soon_days"
const everyoneAt = (asOf: string, zone: string, end: string, days: string) =>
  `SELECT *\nFROM rollcall.assignments_all_as_of(as_of = ${asOf}, due_zone = ${zone}, due_end = ${end}, due_soon_days = ${days})`

/** File names and texts. */
export function printViews(): Record<string, string> {
  return {
    '20_assignments_all_as_of.sql': toView(
      'assignments_all_as_of',
      'one row per assignment known and not deleted at an instant, with every fact of METRICS.md. What is\n-- unknown is NULL. People who have left are in it, with user_active = false.',
      assignmentsAt(),
      `Every assignment as it was at an instant, also of people who have left, with the facts of METRICS.md. ${meaning}`,
    ),
    '21_assignments_all.sql': toView(
      'assignments_all',
      'every assignment now, by the zones and the due end with which Rollcall was last started. Without\n-- settings (before the first start): UTC and end_of_day.',
      everyoneAt("now64(3, 'UTC')", "''", "''", '7'),
      'Every assignment as it is now, also of people who have left, with the facts of METRICS.md',
      described,
    ),
    '21_assignments_as_of.sql': toView(
      'assignments_as_of',
      'what pages show at an instant, the assignments of people who were active then.',
      `${everyoneAt("{as_of:DateTime64(3, 'UTC')}", '{due_zone:String}', '{due_end:String}', '{due_soon_days:UInt16}')}\nWHERE user_active`,
      `Assignments of active people as they were at an instant, as pages show them. ${meaning}`,
    ),
    '22_assignments.sql': toView(
      'assignments',
      'what pages show now, the assignments of people who are active.',
      'SELECT *\nFROM rollcall.assignments_all\nWHERE user_active',
      'Assignments of active people as they are now, as pages show them',
      described,
    ),
    '22_events.sql': printEventsView(),
  }
}

/** The files that are not as printed. `isWritten`: they are written then. */
export function writeViews(isWritten: boolean): string[] {
  return Object.entries(printViews()).flatMap(([file, text]) => {
    const path = join(directory, file)
    if (readFileSync(path, 'utf8') === text) return []
    if (isWritten) writeFileSync(path, text)
    return [path]
  })
}

const printed = '-- Printed by `npm run docs:data` from schemas/metrics/facts.ts and columns.ts.'
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The engine finds out itself which columns a view with parameters has; the others are `described`. */
function toView(name: string, about: string, select: string, comment: string, columnsOfView = ''): string {
  return `${printed}
-- The analysts' contract: ${about}
CREATE OR REPLACE VIEW rollcall.${name}${columnsOfView} AS
${select}
COMMENT ${quote(comment)}
`
}

/** A list on lines of some 200 characters. */
function wrap(items: readonly string[], indent: number): string {
  const space = ' '.repeat(indent)
  return items.reduce((text, item) => {
    const isLong = text.length - text.lastIndexOf('\n') + item.length > 200
    return `${text},${isLong ? `\n${space}` : ' '}${item}`
  })
}

/** The facts that columns or other facts of the views follow from. */
const used = new Set<Fact>()

/** `table`: what stands before a name. */
function print(of: Condition, table = ''): string {
  const isSo = (fact: Fact) => {
    used.add(fact)
    return fact in stateBits ? `bitTest(${table}state, ${stateBits[fact as StateFact]})` : `${table}${fact}`
  }
  return printCondition(of, isSo, { days: 'days_after_due', soonFrom: '-due_soon_days' })
}
const overRow = (of: Condition) => print(of, 'assignment.')

type Printed = { type: string; says: string; sql: string }

/** The columns of the views that a version does not have. */
const ofViews: [string, Printed][] = [
  [
    'user_active',
    {
      type: 'Bool',
      says: 'Whether the person was neither deleted nor permanently deleted',
      sql: 'CAST(empty(person.user_id) OR person.active AS Bool)',
    },
  ],
  ['teams', { type: 'Array(String)', says: "Ids of the person's teams", sql: 'person.teams' }],
  [
    'user_attributes',
    {
      type: 'Map(String, String)',
      says: 'Custom attributes of the person by name, of those that USER_ATTRIBUTES allows',
      sql: 'person.user_attributes',
    },
  ],
  [
    'overdue_spans',
    {
      type: "Array(Tuple(began_at DateTime64(3, 'UTC'), ended_at DateTime64(3, 'UTC')))",
      says: 'When it was overdue, over all lives up to the instant, ends exclusive; 2200-01-01 = still overdue',
      // A span that begins exactly at the end of the previous one continues it.
      sql: `CAST(arrayMap((began, ended) -> (fromUnixTimestamp64Milli(began, 'UTC'), fromUnixTimestamp64Milli(ended, 'UTC')),
        arrayFilter((began, before) -> began != before, late_spans.1, arrayShiftRight(late_spans.2, 1)),
        arrayFilter((ended, after) -> ended != after, late_spans.2, arrayShiftLeft(late_spans.1, 1))
    ) AS Array(Tuple(began_at DateTime64(3, 'UTC'), ended_at DateTime64(3, 'UTC'))))`,
    },
  ],
]

const viewColumns: [string, Printed][] = [
  ...(Object.entries(columns) as [string, Column][])
    .filter(([, { only }]) => only !== 'rows')
    .map(([name, { holds, says }]): [string, Printed] => [name, { says, ...toColumn(holds) }]),
  ...ofViews,
]

function toInstant(at: Instant): string {
  return `nullIf(assignment.${at}, toDateTime64(0, 3, 'UTC'))`
}

function toColumn(of: Content): { type: string; sql: string } {
  const nullable = (type: string) => ('always' in of ? type : `Nullable(${type})`)
  if ('text' in of) {
    const text = `toString(assignment.${of.text})`
    return { type: nullable('String'), sql: of.always === true ? text : `nullIf(${text}, '')` }
  }
  if ('instant' in of) {
    const sql = of.always === true ? `assignment.${of.instant}` : toInstant(of.instant)
    return { type: nullable("DateTime64(3, 'UTC')"), sql }
  }
  if ('day' in of)
    return { type: 'Nullable(Date32)', sql: `if(${toInstant(of.day)} IS NULL, NULL, assignment.due_day)` }
  if ('fact' in of) return { type: 'Bool', sql: `CAST(${overRow(of.fact)} AS Bool)` }
  if ('reported' in of) {
    const sql = `CAST(if(${overRow(of.known)}, ${overRow(of.reported)}, NULL) AS Nullable(Bool))`
    return { type: 'Nullable(Bool)', sql }
  }
  if ('first' in of) {
    const values = Object.entries(of.first).map(([value, fact]) => `${overRow(fact)}, '${value}'`)
    const rest = of.always === true ? values.pop()?.split(', ').at(-1) : 'NULL'
    return { type: nullable('String'), sql: `multiIf(${values.join(', ')}, ${rest})` }
  }
  if ('beside' in of) return { type: 'Nullable(String)', sql: "nullIf(title.challenge_name, '')" }
  if ('besides' in of) throw new RangeError(`No view has ${of.besides}`)
  const number = `assignment.${of.number}`
  switch (of.number) {
    case 'life':
      return { type: 'UInt32', sql: number }
    case 'completion_percentage':
      return {
        type: 'Nullable(Float64)',
        sql: `if(${number} = -1 AND NOT ${overRow(of.known)}, NULL, ${number})`,
      }
    case 'grade':
      return { type: 'Nullable(Float64)', sql: `if(${overRow(of.when)}, ${number}, NULL)` }
    case 'days_after_due':
      return {
        type: 'Nullable(Int32)',
        sql: `CAST(if(${overRow(of.when)}, ${number}, NULL) AS Nullable(Int32))`,
      }
    default:
      return { type: 'Nullable(Float64)', sql: number }
  }
}

const described = `\n(\n${viewColumns.map(([column, { type, says }]) => `    ${column} ${type} COMMENT ${quote(says)}`).join(',\n')}\n)`

/** The people, without a view in between: the engine analyses what a view with parameters reads once more for its columns. */
const people = readFileSync(join(directory, '10_people_at.sql'), 'utf8')
  .replaceAll(/{(as_of|now):.*?}/g, (_, name) => (name === 'now' ? "now64(3, 'UTC')" : 'as_of'))
  .replaceAll(/[^]*(?=^SELECT)|^COMMENT[^]*/gm, '')
  .replaceAll(/,\n *any\(version\.(?:is_\w+|name|email)\) AS \w+/g, '')
  .replaceAll(/^(?=.)/gm, '    ')

/** Columns that the views show. */
const stored = new Set(
  Object.values(columns).flatMap(({ holds }: Column) => {
    if ('text' in holds) return holds.text
    if ('instant' in holds) return holds.instant
    return 'number' in holds && holds.number !== 'days_after_due' ? holds.number : []
  }),
)

function assignmentsAt(): string {
  const facts = Object.keys(factBits).filter((fact) => !(fact in stateBits)) as Exclude<Fact, StateFact>[]
  // "overdue" is what others follow from.
  const derived = facts
    .filter((fact) => used.has(fact) && fact !== 'overdue' && expressionOf(fact) === undefined)
    .map((fact) => `${print(conditionOf(fact))} AS ${fact}`)
  const primary = facts.flatMap((fact) => {
    const expression = expressionOf(fact)
    if (expression === undefined || !used.has(fact)) return []
    return `${toVersionSql(expression)} AS ${fact}`
  })
  const selected = viewColumns.map(([name, { sql }]) => `${sql} AS ${name}`)
  const states = ['class', 'state', 'due_spans', ...stored].map((name) => `any(version.${name}) AS ${name}`)
  return `WITH
    ${asked},
    ${zoneRules},
    (moment -> ${printDay('moment', 'zone', 'zone_name')}) AS day_of,
    -- The calendar day in the due zone, or the instant: before "late from" is key <= due key.
    ((moment, day) -> if(due_end = 'instant', toUnixTimestamp64Milli(moment), toInt64(day))) AS due_key
SELECT
    ${wrap(selected, 4)}
FROM
(
    SELECT *,
        ${wrap(derived, 8)},
        -- The overdue part of a span begins at its late_from, the first instant after the due day: at midnight, or where
        -- the clocks leave midnight out, when they change.
        arrayFilter(span -> span.1 < span.2 AND span.1 <= toUnixTimestamp64Milli(as_of), arrayMap((span, midnight, local_start) -> (
            greatest(span.1, if(due_end = 'instant', span.3 + 1, least(
                midnight - transform(local_start, zone_local_starts, zone_offsets), transform(local_start, zone_local_starts, zone_ends)
            ))),
            span.2
        ), due_spans, midnights, arrayMap(midnight -> roundDown(midnight - 1, zone_local_starts), midnights))) AS late_spans
    FROM
    (
        SELECT *,
            arrayMap(span -> toUnixTimestamp64Milli(toDateTime64(day_of(fromUnixTimestamp64Milli(span.3)) + 1, 3, zone_name)), due_spans) AS midnights,
            day_of(as_of) AS today, day_of(due_date) AS due_day,
            due_key(as_of, today) AS as_of_key, due_key(due_date, due_day) AS due_date_key,
            due_key(completed_at, day_of(completed_at)) AS completed_at_key,
            due_key(reviewers_due_date, day_of(reviewers_due_date)) AS reviewers_due_date_key,
            ${wrap(primary, 12)},
            ${print(conditionOf('overdue'))} AS overdue,
            toInt32(today) - toInt32(due_day) AS days_after_due
        FROM
        (
            -- One row per image whose signs do not add up to zero. Rows with equal images are equal in every column.
            SELECT
                ${wrap(states, 16)}
            FROM
            (
                SELECT * FROM rollcall.open_versions
                WHERE class != 3 AND valid_from <= as_of
                UNION ALL
                SELECT * FROM rollcall.closed_versions
                WHERE class != 3 AND valid_to > as_of AND valid_from <= as_of
            ) AS version
            GROUP BY akey, img
            HAVING sum(sign) > 0
        )
    )
) AS assignment
LEFT JOIN
(
${people}) AS person ON person.user_id = assignment.user_id
LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS challenge_name FROM rollcall.names WHERE kind = 'challenge' AND counts_from <= now() GROUP BY id) AS title ON title.id = assignment.challenge_id
SETTINGS join_use_nulls = 0`
}
