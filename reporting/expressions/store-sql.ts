/** Facts and filters as SQL over the tables of versions. The statement defines `as_of`. */
import type { Expression, PeopleOf } from '../../schemas/metrics/expression.ts'
import type { Condition, Fact } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import type { Moment } from './evaluate.ts'
import { toDay } from '../scope/filter.ts'
import { join, list, raw, sql, value, type Fragment } from './sql.ts'

/** The people of a question, as subqueries. */
export type PeopleSql = Record<PeopleOf, Fragment>

export type SqlContext = {
  moment: Moment
  dueSoonDays: number
  people?: PeopleSql
  /**
   * Whether it is printed for a WHERE over the tables. There a plain toDate(due_date, zone) would drop whole parts: west of Greenwich the
   * day of the epoch (unknown) wraps around, and the engine, which takes the function for monotonic, prunes by the smallest value.
   */
  filters?: boolean
}

const isKnown = (at: string) => `toUnixTimestamp64Milli(${at}) != 0`

/** `parameters`: those of a view, which defines `due_key` and the zones. */
type ExpressionContext = Omit<SqlContext, 'moment'> & { moment: Moment | 'parameters' }

export function toSql(of: Expression, context: ExpressionContext): Fragment {
  const { moment, people, filters = false } = context
  const print = (each: Expression): Fragment => toSql(each, context)
  const [dueZone, timeZone] =
    moment === 'parameters'
      ? [raw('due_zone'), raw('time_zone')]
      : [value('String', moment.dueZone), value('String', moment.timeZone)]
  switch (of.is) {
    case 'state':
      return raw(`bitTest(state, ${stateBits[of.bit]})`)
    case 'class':
      return raw(`(class = ${of.of})`)
    case 'known':
      return raw(`(${isKnown(of.at)})`)
    case 'day': {
      const zone = of.zone === 'due' ? dueZone : timeZone
      return sql`if(${raw(isKnown(of.at))}, toUInt16(toDate(${raw(of.at)}, ${zone})), 65535)`
    }
    case 'date':
      return raw(String(toDay(of.of)))
    case 'key': {
      if (moment === 'parameters') return raw(`due_key(${of.at})`)
      if (moment.dueEnd === 'instant') return raw(of.at)
      const day = sql`toDate(${raw(of.at)}, ${dueZone})`
      return filters ? sql`if(${raw(isKnown(of.at))}, ${day}, toDate(65535))` : day
    }
    case 'now':
      if (moment === 'parameters') return raw('due_key(as_of)')
      return moment.dueEnd === 'instant' ? raw('as_of') : sql`toDate(as_of, ${dueZone})`
    case '<':
    case '<=':
      return sql`${print(of.of[0])} ${raw(of.is)} ${print(of.of[1])}`
    case 'and':
      return sql`(${join(of.of.map(print), ' AND ')})`
    case 'not':
      return sql`NOT ${print(of.of)}`
    case 'among':
      return sql`${raw(of.column)} IN ${list('String', of.ids)}`
    case 'people':
      if (people === undefined) throw new RangeError(`Nobody said who the people in "${of.who}" are`)
      return sql`user_id IN (${people[of.who]})`
  }
}

/** Calendar days since the due day, and the first of them that is soon. */
type DaysSql = { days: Fragment; soonFrom: Fragment }

/** `isSo`: how a fact is said. `about`: left out where every fact about days has a name of its own. */
export function printCondition(of: Condition, isSo: (fact: Fact) => Fragment, about?: DaysSql): Fragment {
  const print = (each: Condition): Fragment => printCondition(each, isSo, about)
  if (of === 'all') return raw('true')
  if (typeof of === 'string') return isSo(of)
  if ('not' in of) return sql`NOT ${print(of.not)}`
  if ('days' in of) {
    if (about === undefined) throw new RangeError('Facts about days are asked for by their names')
    const [from, to] = of.days
    const first = from === 'due_soon_days' ? about.soonFrom : raw(String(from))
    return sql`${about.days} BETWEEN ${first} AND ${raw(String(to))}`
  }
  const [conditions, word] = 'and' in of ? [of.and, ' AND '] : [of.or, ' OR ']
  // None of nothing, and all of nothing: a part of a rate without reasons before it.
  if (conditions.length === 0) return raw(String('and' in of))
  return sql`(${join(conditions.map(print), word)})`
}
