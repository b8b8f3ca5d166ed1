/** Facts and filters as SQL over the analysts' view `assignments_as_of`, where unknown is NULL. */
import type { Expression, PeopleOf } from '../../schemas/metrics/expression.ts'
import type { Instant } from '../../schemas/metrics/version.ts'
import { columns, type Column } from '../../schemas/metrics/columns.ts'
import { inView, type Condition, type Fact } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'

const ofInstants = (Object.entries(columns) as [string, Column][]).flatMap(([name, { holds, only }]) =>
  'instant' in holds && only === undefined ? [[holds.instant, name] as const] : [],
)
const instantColumns = Object.fromEntries(ofInstants) as Record<Instant, string>
/** The column of the view with an instant. */
export const columnOf = (at: Instant): string => instantColumns[at]

/** Texts that name the people in the teams or under the managers of a scope. */
type PeopleInView = Partial<Record<PeopleOf, string>>

type Leaf = Exclude<Expression, { is: '<' | '<=' | 'and' | 'not' }>

function toSql(of: Expression, toLeaf: (leaf: Leaf) => string): string {
  const print = (each: Expression): string => toSql(each, toLeaf)
  switch (of.is) {
    case '<':
    case '<=':
      return of.of.map(print).join(` ${of.is} `)
    case 'and':
      return `(${of.of.map(print).join(' AND ')})`
    case 'not':
      return `NOT ${print(of.of)}`
    default:
      return toLeaf(of)
  }
}

/** `day_of`, `due_day_of`, `due_key` and `as_of` are names that the statement defines. */
export const toViewSql = (of: Expression, people: PeopleInView = {}): string =>
  toSql(of, (leaf) => {
    switch (leaf.is) {
      case 'state':
        return toViewCondition(leaf.bit)
      case 'class':
        return leaf.of === 0 ? 'open' : 'awaiting_grading'
      case 'known':
        return `${columnOf(leaf.at)} IS NOT NULL`
      case 'day':
        return `${leaf.zone === 'due' ? 'due_day_of' : 'day_of'}(${columnOf(leaf.at)})`
      case 'date':
        return toSqlText(leaf.of)
      case 'key':
        return `due_key(${columnOf(leaf.at)})`
      case 'now':
        return 'due_key(as_of)'
      case 'among':
        return `has(${toSqlTexts(leaf.ids)}, ifNull(${leaf.column}, ''))`
      case 'people': {
        const who = people[leaf.who]
        if (who === undefined) throw new RangeError(`Nobody said who the people in "${leaf.who}" are`)
        return who
      }
    }
  })

/** The calendar day of a moment; `rules`: what the names of the starts and the offsets of a zone begin with. */
export const printDay = (moment: string, rules: string, zone: string): string => {
  const start = `roundDown(assumeNotNull(toUnixTimestamp64Milli(${moment})), ${rules}_starts)`
  return `toDate32(addMilliseconds(${moment}, transform(${start}, ${rules}_starts, ${rules}_offsets)), ${zone})`
}

export function toViewCondition(of: Condition): string {
  return printCondition(of, (fact) => {
    const said = inView(fact)
    return 'column' in said ? said.column : toViewSql(said.is)
  })
}

/** `isSo`: how a fact is written. `about`: days since the due day, and the first that is soon, where a condition may name days. */
export function printCondition(
  of: Condition,
  isSo: (fact: Fact) => string,
  about?: { days: string; soonFrom: string },
): string {
  const print = (each: Condition): string => printCondition(each, isSo, about)
  if (of === 'all') return 'true'
  if (typeof of === 'string') return isSo(of)
  if ('not' in of) return `NOT ${print(of.not)}`
  if ('days' in of) {
    if (about === undefined) throw new RangeError('Facts about days have columns of their own')
    const [from, to] = of.days
    return `${about.days} BETWEEN ${from === 'due_soon_days' ? about.soonFrom : from} AND ${to}`
  }
  const [conditions, word] = 'and' in of ? [of.and, ' AND '] : [of.or, ' OR ']
  // All of nothing is true, any of nothing is not: a part of a rate without reasons before it.
  return conditions.length === 0 ? String('and' in of) : `(${conditions.map(print).join(word)})`
}

/** A fact over the columns of a stored version, for the printed views, which define the keys. */
export const toVersionSql = (of: Expression): string =>
  toSql(of, (leaf) => {
    switch (leaf.is) {
      case 'state':
        return `bitTest(state, ${stateBits[leaf.bit]})`
      case 'class':
        return `(class = ${leaf.of})`
      case 'known':
        return `(toUnixTimestamp64Milli(${leaf.at}) != 0)`
      case 'key':
        return `${leaf.at}_key`
      case 'now':
        return 'as_of_key'
      default:
        throw new RangeError(`No fact has ${leaf.is} in it`)
    }
  })

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
