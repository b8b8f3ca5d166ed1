/** Statements as functions: what their text holds, for whom, and that no value of a request can become text. */
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { list, sql, toQuery, value, where } from '../../reporting/expressions/sql.ts'
import { everybody } from '../../reporting/audience.ts'
import { toSeen, type Statement } from '../../reporting/read/statement.ts'
import { guideRows, guides, guideTitles } from '../../reporting/statements/guides.ts'
import { readFixed } from '../../reporting/read/fixed.ts'
import { names, somePeople } from '../../reporting/statements/people.ts'
import { values } from '../../reporting/statements/page-frame.ts'
import { rowPeople, sortNames } from '../../reporting/statements/rows.ts'
import { search } from '../../reporting/statements/search.ts'
import { eventsBetween } from '../../reporting/queries/assignment-events.ts'
import { createScope, type Scope } from '../model/scope.ts'

test('a value leaves as a parameter, equal ones as one, and never as text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const ids = list('String', [a, b])
      const { query, query_params } = toQuery(
        sql`SELECT 1 ${where(sql`x IN ${ids}`, null, sql`y = ${value('String', a)}`, sql`z IN ${ids}`)}`,
      )
      expect(query).toBe(
        'SELECT 1 WHERE x IN {p0:Array(String)}\n    AND y = {p1:String}\n    AND z IN {p0:Array(String)}',
      )
      expect(query_params).toEqual({ p0: [a, b], p1: a })
    }),
    { seed: 7 },
  )
  expect(toQuery(sql`SELECT 1 ${where(null)}`).query).toBe('SELECT 1 ')
})

const plain = createScope(Date.UTC(2026, 3, 8, 22))
type Written = { statement: Statement<never>; args: object }
/** Statements about people, and how often each is narrowed. */
const written = (args: { scope: Scope; under: readonly string[] }): (Written & { narrowed: number })[] => [
  { statement: guides, args: { ...args, moment: args.scope, guide: [] }, narrowed: 1 },
  { statement: guideTitles, args: {}, narrowed: 1 },
  {
    statement: guideRows,
    args: { ...args, moment: args.scope, guide: ['g'], part: 'on_time', offset: 0, limit: 9 },
    narrowed: 1,
  },
  { statement: eventsBetween, args: { akeys: ['1'], from: 1, asOf: 2 }, narrowed: 3 },
  { statement: rowPeople, args: { scope: plain, ids: ['1'] }, narrowed: 2 },
  { statement: rowPeople, args: { scope: plain, ids: null }, narrowed: 2 },
  { statement: sortNames, args: { scope: plain }, narrowed: 1 },
  { statement: somePeople, args: { at: plain, ids: ['1'] }, narrowed: 1 },
  { statement: search, args: { text: 'x', at: plain, limit: 9 }, narrowed: 4 },
  { statement: names, args: {}, narrowed: 3 },
  { statement: values, args: { attributes: ['country'] }, narrowed: 1 },
]

function write({ statement, args }: Written, seen: readonly string[] | null, names = true) {
  const text = statement.text as (args: object, seen: unknown) => ReturnType<typeof sql>
  return toQuery(text(args, toSeen(seen, { ...everybody, names })))
}

test('narrows every statement about people for a narrow reader, and for no other', () => {
  for (const { narrowed, ...each } of written({ scope: plain, under: [] })) {
    const { query, query_params } = write(each, ['7'])
    const [name = ''] = Object.entries(query_params).find(([, of]) => of === '["7"]') ?? []
    expect(query.split(`{${name}:String}`)).toHaveLength(narrowed + 1)
    expect(Object.values(write(each, null).query_params)).not.toContain('["7"]')
  }
})

test('a statement of a file has the values of its parameters, and is refused without them or without its file’s section', () => {
  const fixed = readFixed(join(import.meta.dirname, '../../reporting/queries/health.sql'))
  const silence = fixed('silence', 'nobody').text as (args: Record<string, unknown>) => ReturnType<typeof sql>
  const { query, query_params } = toQuery(
    silence({ now: Date.UTC(2026, 0, 1), weeks_before: ["' OR 1 = 1"] }),
  )
  expect(query).toContain("silence_at(now = {p0:DateTime64(3, 'UTC')}, weeks_before = {p1:Array(Int64)})")
  expect(query_params).toEqual({ p0: '2026-01-01 00:00:00.000', p1: ["' OR 1 = 1"] })
  expect(() => silence({ now: 1 })).toThrow('A parameter is not given')
  expect(() => fixed('nothing', 'nobody')).toThrow('has no statement nothing')
})

test('only a statement about names differs for a reader without names', () => {
  for (const each of written({ scope: plain, under: [] })) {
    const [named, nameless] = [write(each, null), write(each, null, false)]
    if (each.statement.about === 'names') expect(nameless.query).not.toBe(named.query)
    else expect(nameless).toEqual(named)
  }
})
