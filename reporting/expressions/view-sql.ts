/** Facts and filters as SQL over the analysts' view `assignments_as_of`, where unknown is NULL. */
import type { Expression, Instant, PeopleOf } from '../../schemas/metrics/expression.ts'
import { inView, type Condition, type Fact } from '../../schemas/metrics/facts.ts'
import { raw, toQuery } from './sql.ts'
import { printCondition } from './store-sql.ts'

const instantColumns: Partial<Record<Instant, string>> = {
  first_submitted_at: 'first_seen_submitted',
  first_graded_at: 'first_seen_graded',
}
const columnOf = (at: Instant): string => instantColumns[at] ?? at

type Zones = { timeZone: string; dueZone: string }
/** Texts that name the people in the teams or under the managers of a scope. */
type PeopleInView = Partial<Record<PeopleOf, string>>

/** `due_key` and `as_of` are names that the statement defines. */
export function toViewSql(of: Expression, zones: Zones, people: PeopleInView = {}): string {
  const print = (each: Expression): string => toViewSql(each, zones, people)
  switch (of.is) {
    case 'state':
      return toViewCondition(of.bit)
    case 'class':
      return of.of === 0 ? 'open' : 'awaiting_grading'
    case 'known':
      return `${columnOf(of.at)} IS NOT NULL`
    case 'day':
      return `toDate32(${columnOf(of.at)}, ${toSqlText(of.zone === 'due' ? zones.dueZone : zones.timeZone)})`
    case 'date':
      return toSqlText(of.of)
    case 'key':
      return `due_key(${columnOf(of.at)})`
    case 'now':
      return 'due_key(as_of)'
    case '<':
    case '<=':
      return `${print(of.of[0])} ${of.is} ${print(of.of[1])}`
    case 'and':
      return `(${of.of.map(print).join(' AND ')})`
    case 'not':
      return `NOT ${print(of.of)}`
    case 'among':
      return `has(${toSqlTexts(of.ids)}, ifNull(${of.column}, ''))`
    case 'people': {
      const who = people[of.who]
      if (who === undefined) throw new RangeError(`Nobody said who the people in "${of.who}" are`)
      return who
    }
  }
}

const utc = { timeZone: 'UTC', dueZone: 'UTC' }

export function toViewCondition(of: Condition): string {
  const isSo = (fact: Fact) => {
    const column = inView(fact)
    return raw(typeof column === 'string' ? column : toViewSql(column, utc))
  }
  return toQuery(printCondition(of, isSo)).query
}

/** Values as ClickHouse literals, for SQL that people see and run; our own statements use parameters. */
export function toSqlText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}

export function toSqlTexts(texts: readonly string[]): string {
  return `[${texts.map(toSqlText).join(', ')}]`
}

/** DateTime64(3, 'UTC') as text. */
export function toSqlInstant(epochMs: number): string {
  return toSqlText(new Date(epochMs).toISOString().slice(0, 23).replace('T', ' '))
}
