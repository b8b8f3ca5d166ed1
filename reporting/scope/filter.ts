/** An entry of the table of filters, and builders for the usual kinds. */
import { z } from 'zod'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { and, between, type Expression, type Zone } from '../../schemas/metrics/expression.ts'
import type { Instant } from '../../schemas/metrics/version.ts'
import { any, type Condition, type Fact } from '../../schemas/metrics/facts.ts'
import type { UrlParameters, Wrong } from './url-parameters.ts'
import { toCalendarDate } from '../../schemas/metrics/calendar.ts'

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

export const optional = (schema: z.ZodType, description: string, examples?: string[]): z.ZodType =>
  schema.optional().meta({ description, ...(examples && { examples }) })
export const several = (schema: z.ZodType, description: string): z.ZodType =>
  optional(z.array(schema), description)

type SingleOf<Of extends keyof Scope> = {
  schema: z.ZodType
  /** The value that a text means; `undefined`: none, which is the problem `wrong`. */
  read: (text: string, scope: Scope) => Scope[Of] | undefined
  wrong: Wrong
  words?: FilterWords
  where?: (scope: Scope) => Where | null
}

/** A parameter that may be given once, of one field of a scope. */
export function single<Key extends string, Of extends keyof Scope>(
  key: Key,
  of: Of,
  { schema, read, wrong, words, where }: SingleOf<Of>,
): Filter<Key> {
  return {
    parameters: keyed(key, schema),
    read: (parameters, scope) => ({
      [of]: parameters.one(key, (text) => read(text, scope), wrong) ?? scope[of],
    }),
    ...(where && { where }),
    words: words === undefined ? {} : keyed(key, words),
  }
}

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

/** A range of calendar dates, both ends inclusive. */
export function range<Name extends WindowName>(
  name: Name,
  label: string,
  descriptions: readonly [from: string, to: string],
): Filter<`${Name}_from` | `${Name}_to`> & { datesOf(scope: Scope): readonly (string | undefined)[] } {
  const keys = [`${name}_from`, `${name}_to`] as const
  const [from, to] = [`${name}From`, `${name}To`] as const
  const date = (description: string) => z.string().optional().meta({ description, format: 'date' })
  return {
    parameters: { ...keyed(keys[0], date(descriptions[0])), ...keyed(keys[1], date(descriptions[1])) },
    read(parameters) {
      const [first, last] = keys.map((key) => parameters.one(key, toCalendarDate, { code: 'not_a_date' }))
      if (first !== undefined && last !== undefined && first > last) {
        parameters.refuse(keys, { code: 'after_other', values: { other: keys[1] } })
        return {}
      }
      return { ...(first !== undefined && { [from]: first }), ...(last !== undefined && { [to]: last }) }
    },
    datesOf: (scope) => [scope[from], scope[to]],
    words: { ...keyed(keys[0], { label: `${label} from` }), ...keyed(keys[1], { label: `${label} to` }) },
  }
}

/** Such a range of an instant. `of`: whose instant counts. Default: everybody's. */
export function dateWindow<Name extends WindowName>(
  name: Name,
  description: string,
  label: string,
  { at, zone, of }: { at: Instant; zone: Zone; of?: Expression },
): Filter<`${Name}_from` | `${Name}_to`> {
  const dates = range(name, label, [
    `${description} on or after this date`,
    `${description} on or before this date`,
  ])
  return {
    ...dates,
    where(scope) {
      const [first, last] = dates.datesOf(scope)
      if (first === undefined && last === undefined) return null
      const row = between(first, at, zone, last)
      return { row: of === undefined ? row : and(of, row) }
    },
  }
}

/** Days since 1970. */
export function toDay(date: string): number {
  return Math.min(Math.max(Math.round(Date.parse(date) / 86_400_000), 0), 65_534)
}
