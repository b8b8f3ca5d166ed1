/** An entry of the table of filters, and builders for the usual kinds. */
import { z } from 'zod'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { and, between, type Expression, type Zone } from '../../schemas/metrics/expression.ts'
import type { Instant } from '../../schemas/metrics/version.ts'
import { any, type Condition, type Fact } from '../../schemas/metrics/facts.ts'
import type { UrlParameters } from './url-parameters.ts'
import { toCalendarDate } from './instants.ts'

export type FilterWords = {
  label: string
  /** Whose names to show instead of ids. Default: the value as it is. */
  names?: 'challenges' | 'teams' | 'people'
  /** Words for a value; `null` = this value says nothing worth a chip. Default: the value. */
  value?: (text: string) => string | null
}

/**
 * A condition on the version of an assignment, or on a fact at the moment. `isNamed`: explained SQL names its view or a list of people
 * instead.
 */
export type Where = { row: Expression; isNamed?: boolean } | { fact: Condition }

export type Filter<Key extends string = string> = {
  /** The parameters in a URL, with their schema and description for OpenAPI. */
  parameters: Record<Key, z.ZodType>
  /** The part of a scope that the parameters set. `scope`: as the entries before this one have set it. */
  read(parameters: UrlParameters, scope: Scope, settings: ScopeSettings): Partial<Scope>
  /** The condition on an assignment; `null`: the filter is not set. Default: nothing. */
  where?(scope: Scope): Where | null
  /** The words of a chip about a parameter. Without words it has no chip: it is not a filter but a way to show things. */
  words: Partial<Record<Key, FilterWords>>
}

/** An object with one key, typed by that key. */
function keyed<Key extends string, Value>(key: Key, value: Value): Record<Key, Value> {
  return { [key]: value } as Record<Key, Value>
}

export const several = (schema: z.ZodType, description: string): z.ZodType =>
  z.array(schema).optional().meta({ description })

/** Fields of a scope that hold a list. */
type ListKey = { [Key in keyof Scope]: Scope[Key] extends string[] ? Key : never }[keyof Scope] & string

export function ids<Key extends ListKey>(
  key: Key,
  description: string,
  words: FilterWords,
  toRow: (ids: readonly string[]) => Expression,
): Filter<Key> {
  return {
    parameters: keyed(key, several(z.string(), description)),
    read: (parameters) => ({ [key]: parameters.all(key) }),
    where: (scope) => (scope[key].length === 0 ? null : { row: toRow(scope[key]) }),
    words: keyed(key, words),
  }
}

/** `toFact`: the fact that a value stands for. One of the chosen values has to hold. */
export function choices<Key extends ListKey>(
  key: Key,
  values: readonly [Scope[Key][number], ...Scope[Key][number][]],
  description: string,
  words: FilterWords,
  toFact: (value: Scope[Key][number]) => Fact,
): Filter<Key> {
  return {
    parameters: keyed(key, several(z.enum(values), description)),
    read: (parameters) => ({ [key]: parameters.choose(key, values) }),
    where: (scope) => (scope[key].length === 0 ? null : { fact: any(...scope[key].map(toFact)) }),
    words: keyed(key, words),
  }
}

type WindowName = { [Key in keyof Scope]-?: Key extends `${infer Name}From` ? Name : never }[keyof Scope]
type WindowKey<Name extends string> = `${Name}_from` | `${Name}_to`

/** A range of calendar dates of an instant, both ends inclusive. `of`: whose instant counts. Default: everybody's. */
export function dateWindow<Name extends WindowName>(
  name: Name,
  description: string,
  label: string,
  instant: { at: Instant; zone: Zone; of?: Expression },
): Filter<WindowKey<Name>> {
  const [from, to] = [`${name}From`, `${name}To`] as const
  return {
    parameters: windowParameters(
      name,
      `${description} on or after this date`,
      `${description} on or before this date`,
    ),
    read: (parameters) => readWindow(parameters, name, from, to),
    where(scope) {
      const [first, last] = [scope[from], scope[to]]
      if (first === undefined && last === undefined) return null
      const range = between(first, instant.at, instant.zone, last)
      return { row: instant.of === undefined ? range : and(instant.of, range) }
    },
    words: {
      ...keyed(`${name}_from`, { label: `${label} from` }),
      ...keyed(`${name}_to`, { label: `${label} to` }),
    },
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

export function readWindow(
  parameters: UrlParameters,
  name: string,
  from: keyof Scope,
  to: keyof Scope,
): Partial<Scope> {
  const keys = [`${name}_from`, `${name}_to`] as const
  const [first, last] = keys.map((key) => parameters.one(key, toCalendarDate, { code: 'not_a_date' }))
  if (first !== undefined && last !== undefined && first > last) {
    parameters.refuse(keys, { code: 'after_other', values: { other: keys[1] } })
    return {}
  }
  return { ...(first !== undefined && { [from]: first }), ...(last !== undefined && { [to]: last }) }
}

/** Days since 1970. */
export function toDay(date: string): number {
  return Math.min(Math.max(Math.round(Date.parse(date) / 86_400_000), 0), 65_534)
}
