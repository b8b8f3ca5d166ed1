/** The keys of a page's address, declared once: links, notices, chips, files and the filter bar read this. */
import type { Format } from '../../language/format.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toCalendarDate } from '../../schemas/metrics/calendar.ts'
import { t, type Message } from '../../language/translate.ts'
import type { OwnFilter } from './filter-words.ts'
import type { PageKey } from './page-url.ts'
import { unknownValue } from './parse-page.ts'

/** A parameter that only this page has. */
export type OwnKey<Value extends string = string> = {
  read(text: string): Value | undefined
  otherwise?: Value
  /** Whether it may have several values, which are then read with commas between them. Default: only the first counts. */
  isList?: boolean
  /** What it selects, in words: then it is a chip, and named in the files that it narrows. */
  chip?:
    | {
        label: Message
        words(value: Value, scope: Scope, format: Format, names?: ReadonlyMap<string, string>): string
        /** Whether the page itself shows the choice, so that only files name it. Default: no. */
        isSwitch?: boolean
      }
    | undefined
}

export type OwnKeys = Readonly<Record<string, OwnKey>>
export type Own<Keys extends OwnKeys> = {
  [Key in keyof Keys]: Keys[Key] extends OwnKey<infer Value> ? Value | undefined : never
}

export type PageKeys<Keys extends OwnKeys> = {
  own: Keys
  /** Filters that mean nothing here: neither applied nor shown; links carry them to the next page. Default: none. */
  ignored?: readonly PageKey[]
  /** Whether the page can compare with an earlier moment. Default: no. */
  compares?: boolean
  rows?: boolean
}

export const oneOf = <Value extends string>(
  values: readonly Value[],
  chip?: OwnKey<Value>['chip'],
): OwnKey<Value> => ({
  // An unescaped + in an address arrives as a blank.
  read: (text) => values.find((each) => each === text || each === text.replace(/ $/, '+')),
  chip,
})

export const date = (chip?: OwnKey['chip']): OwnKey => ({ read: toCalendarDate, chip })

/** The page of a list, or `all`. */
export const pageNumber: OwnKey = { read: (text) => /^([1-9]\d{0,8}|all)$/.exec(text)?.[0] }

/** A key of a table, after `-` descending. */
export const sortKey: OwnKey = { read: (text) => /^-?.{1,200}$/.exec(text)?.[0] }

export const findKey: OwnKey = {
  read: (text) => text.trim().slice(0, 200) || undefined,
  chip: { label: 'Name or ID', words: (text) => text },
}

export function readOwn<Keys extends OwnKeys>(keys: Keys, query: URLSearchParams) {
  const notices: string[] = []
  const entries = Object.entries(keys).map(([key, { read, otherwise, isList = false }]) => {
    const [first = '', ...others] = query.getAll(key).filter((each) => each !== '')
    const text = isList ? [first, ...others].join(',') : first
    const value = text === '' ? undefined : read(text)
    if (text !== '' && value === undefined) notices.push(unknownValue(key, text))
    return [key, value ?? otherwise] as const
  })
  return { own: Object.fromEntries(entries) as Own<Keys>, notices }
}

/** The chips of own keys that are set. `only`: of these keys. */
export function ownFilters(
  keys: OwnKeys,
  view: {
    own: Own<OwnKeys>
    scope: Scope
    context: { format: Format }
    data: { names?: ReadonlyMap<string, string> }
  },
  only: readonly string[] = Object.keys(keys),
): OwnFilter[] {
  return only.flatMap((key) => {
    const [id, chip] = [view.own[key], keys[key]?.chip]
    if (id === undefined || chip === undefined) return []
    const value = chip.words(id, view.scope, view.context.format, view.data.names)
    return [{ key, id, label: t(chip.label as 'Person'), value }]
  })
}
