/** What one entry of the table of filters holds, and builders for the usual kinds. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toFactMask } from '../../schemas/metrics/fact-bits.ts'
import { toSqlTexts, toSqlText } from '../explain/sql-literal.ts'
import type { Given } from './given.ts'
import { toCalendarDate } from './instants.ts'

export type FilterWords = {
  label: string
  /** Whose names to show instead of ids. Default: the value as it is. */
  names?: 'challenges' | 'teams' | 'people'
  /** Words for a value; `null` = this value says nothing worth a chip. Default: the value. */
  value?: (text: string) => string | null
}

export type Filter<Key extends string = string> = {
  /** The parameters in a URL, with their schema and description for OpenAPI. */
  parameters: Record<Key, z.ZodType>
  /** What the parameters make of a scope. `scope` is what the entries before this one have made of it. */
  read(given: Given, scope: Scope): Partial<Scope>
  /** Parameters of the `.sql` statements over a scope. Default: none. */
  sql?(scope: Scope): Record<string, unknown>
  /** Conditions on the view `assignments_as_of`, as explained SQL shows them. Default: none. */
  conditions?(scope: Scope): string[]
  /** What a chip says of a parameter. Without words it has no chip: it is not a filter but a way to show things. */
  words: Partial<Record<Key, FilterWords>>
}

/** An object with one key, typed by that key. */
function keyed<Key extends string, Value>(key: Key, value: Value): Record<Key, Value> {
  return { [key]: value } as Record<Key, Value>
}

export const several = (schema: z.ZodType, description: string): z.ZodType =>
  z.array(schema).optional().meta({ description })

type IdKey = 'challenge' | 'team' | 'user'

export function ids<Key extends IdKey>(
  key: Key,
  description: string,
  words: FilterWords,
  toCondition: (ids: string) => string,
): Filter<Key> {
  return {
    parameters: keyed(key, several(z.string(), description)),
    read: (given) => ({ [key]: given.all(key) }),
    sql: (scope) => ({ [key]: scope[key] }),
    conditions: (scope) => (scope[key].length === 0 ? [] : [toCondition(toSqlTexts(scope[key]))]),
    words: keyed(key, words),
  }
}

type ChoiceKey = 'status' | 'fact' | 'aging'

export function choices<Key extends ChoiceKey>(
  key: Key,
  values: readonly [Scope[Key][number], ...Scope[Key][number][]],
  description: string,
  words: FilterWords,
  options: {
    /** The bit of a value in the facts of an assignment. */
    toFact: (value: Scope[Key][number]) => Parameters<typeof toFactMask>[0][number]
    toCondition: (values: Scope[Key]) => string
  },
): Filter<Key> {
  return {
    parameters: keyed(key, several(z.enum(values), description)),
    read: (given) => ({ [key]: given.choose(key, values) }),
    sql: (scope) => ({ [`${key}_mask`]: toFactMask(scope[key].map(options.toFact)) }),
    conditions: (scope) => (scope[key].length === 0 ? [] : [options.toCondition(scope[key])]),
    words: keyed(key, words),
  }
}

type WindowName = 'assigned' | 'completed' | 'due'
type WindowKey<Name extends string> = `${Name}_from` | `${Name}_to`

/** A range of calendar dates, both ends inclusive. `toDay`: the column of the day, for explained SQL. */
export function dateWindow<Name extends WindowName>(
  name: Name,
  description: string,
  label: string,
  toDay: (scope: Scope) => string,
): Filter<WindowKey<Name>> {
  const [from, to] = [`${name}From`, `${name}To`] as const
  return {
    parameters: windowParameters(name, `${description} on or after this date`, `${description} on or before this date`),
    read: (given) => readWindow(given, name, from, to),
    sql: (scope) => ({
      [`${name}_from`]: toFirstDay(scope[from]),
      [`${name}_to`]: toLastDay(scope[to], scope[from] !== undefined),
    }),
    conditions: (scope) => [
      ...(scope[from] === undefined ? [] : [`${toDay(scope)} >= ${toSqlText(scope[from])}`]),
      ...(scope[to] === undefined ? [] : [`${toDay(scope)} <= ${toSqlText(scope[to])}`]),
    ],
    words: { ...keyed(`${name}_from`, { label: `${label} from` }), ...keyed(`${name}_to`, { label: `${label} to` }) },
  }
}

export function windowParameters<Name extends string>(
  name: Name,
  from: string,
  to: string,
): Record<WindowKey<Name>, z.ZodType> {
  const date = (description: string): z.ZodType => z.string().optional().meta({ description, format: 'date' })
  return { [`${name}_from`]: date(from), [`${name}_to`]: date(to) } as Record<string, z.ZodType> as Record<
    WindowKey<Name>,
    z.ZodType
  >
}

export function readWindow(given: Given, name: string, from: keyof Scope, to: keyof Scope): Partial<Scope> {
  const keys = [`${name}_from`, `${name}_to`] as const
  const [first, last] = keys.map((key) => given.one(key, toCalendarDate, 'a calendar date like 2026-03-31'))
  if (first !== undefined && last !== undefined && first > last) {
    given.refuse(keys, `must not be after ${keys[1]}`)
    return {}
  }
  return { ...(first !== undefined && { [from]: first }), ...(last !== undefined && { [to]: last }) }
}

/** Days since 1970. 65535 means "no such day" in the view: only a window that was not given includes it. */
function toFirstDay(date: string | undefined): number {
  return date === undefined ? 0 : toDay(date)
}

function toLastDay(date: string | undefined, isGiven: boolean): number {
  return date === undefined ? (isGiven ? 65_534 : 65_535) : toDay(date)
}

export function toDay(date: string): number {
  return Math.min(Math.max(Math.round(Date.parse(date) / 86_400_000), 0), 65_534)
}
