/** Statements as functions: what their text holds, for whom, and that no value of a request can become text. */
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { list, sql, toQuery, value, where } from '../../reporting/expressions/sql.ts'
import { everybody } from '../../reporting/audience.ts'
import { toSeen, type Statement } from '../../reporting/read/statement.ts'
import { blocks } from '../../reporting/statements/blocks.ts'
import { groupPeople } from '../../reporting/coarse/read-shown-groups.ts'
import { changeCounts, changes } from '../../reporting/statements/changes.ts'
import { grading, gradingBacklog, gradingQueue } from '../../reporting/statements/grading.ts'
import { guideRows, guides } from '../../reporting/statements/guides.ts'
import { readFixed } from '../../reporting/read/fixed.ts'
import { groups, groupsByPerson } from '../../reporting/statements/groups.ts'
import { lateAssignments, latePeople, overdue } from '../../reporting/statements/overdue.ts'
import { names, namesById } from '../../reporting/statements/people.ts'
import { values } from '../../reporting/statements/page.ts'
import { allRows, rowPeople, rows, rowContent } from '../../reporting/statements/rows.ts'
import { learners, person } from '../../reporting/statements/learners.ts'
import { search } from '../../reporting/statements/search.ts'
import { eventsBetween, eventsOf } from '../../reporting/queries/assignment-events.ts'
import { rowSorts } from '../../reporting/scope/row-order.ts'
import { daysToComplete } from '../../reporting/statements/days-to-complete.ts'
import { scopeArb } from '../model/arbitrary/scope.ts'
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

const text = (scope: Scope, seen: readonly string[] | null = null) =>
  toQuery(blocks.text({ scope, under: ['1'], detail: 'overview' }, toSeen(seen)))

const plain = createScope(Date.UTC(2026, 3, 8, 22))
const given: Partial<Scope>[] = [
  { challenge: ['c'] },
  { team: ['t'] },
  { manager: ['m'] },
  { user: ['u'] },
  { attribute: [['a', ['b']]] },
  { status: ['overdue'] },
  { fact: ['submitted'] },
  { aging: ['1-7'] },
  { assignedFrom: '2026-01-01' },
  { assignedTo: '2026-01-01' },
  { completedFrom: '2026-01-01' },
  { completedTo: '2026-01-01' },
  { dueFrom: '2026-01-01' },
  { dueTo: '2026-01-01' },
  { includeLeavers: true },
]

test.each(given)('%o changes the statement of the numbers', (change) => {
  expect(text({ ...plain, ...change })).not.toEqual(text(plain))
})

type Written = { statement: Statement<never>; args: object }
const day = '2026-01-01'
const betweenOf = (args: { scope: Scope; under: readonly string[] }) => ({
  ...args,
  before: { ...args.scope, asOf: args.scope.asOf - 9 * 86_400_000 },
  underBefore: args.under,
})
const written = (args: { scope: Scope; under: readonly string[] }): Written[] => [
  { statement: blocks, args: { ...args, detail: 'overview' } },
  { statement: groups, args: { ...args, by: 'challenge' } },
  { statement: groups, args: { ...args, by: 'team' } },
  { statement: groups, args: { ...args, by: 'attribute.country' } },
  { statement: groupsByPerson, args },
  { statement: overdue, args: { ...args, days: [1, 2] } },
  { statement: lateAssignments, args },
  ...rowSorts.flatMap((by) => {
    const order = { by, descending: true }
    return [
      { statement: rows, args: { ...args, order, cursor: null, withTotal: true, mostRows: 9 } },
      { statement: allRows, args: { ...args, order } },
    ]
  }),
  {
    statement: rowContent,
    args: {
      keys: (['open_versions', 'closed_versions'] as const).map((table) => ({
        table,
        akey: '1',
        img: '2',
        user: '8',
        key: 3,
      })),
    },
  },
  { statement: learners, args: { ...args, search: 'x', only: null, cursor: null, limit: 9 } },
  { statement: grading, args },
  { statement: gradingBacklog, args: { ...args, moments: [1, 2] } },
  { statement: gradingQueue, args: { ...args, after: null, limit: 9, of: { age: '0', review: 'soon' } } },
  { statement: gradingQueue, args: { ...args, after: null, limit: 9, of: { gradedFrom: day, gradedTo: day } } },
  { statement: groupPeople, args: { ...args, attributes: ['country'] } },
  { statement: daysToComplete, args },
  { statement: changes, args: { ...betweenOf(args), kinds: [], causes: [], after: null, limit: 9 } },
  { statement: changeCounts, args: { ...betweenOf(args), brief: false } },
  { statement: changeCounts, args: { ...betweenOf(args), brief: true } },
]

/** About people in other tables, and how often they are narrowed. */
const others = (args: { scope: Scope; under: readonly string[] }): (Written & { narrowed: number })[] => [
  { statement: guides, args: { ...args, moment: args.scope, guide: [], attributes: ['country'] }, narrowed: 3 },
  {
    statement: guideRows,
    args: { ...args, moment: args.scope, guide: ['g'], part: 'on_time', offset: 0, limit: 9 },
    narrowed: 1,
  },
  { statement: eventsBetween, args: { akeys: ['1'], from: 1, asOf: 2 }, narrowed: 3 },
  { statement: rowPeople, args: { scope: plain, ids: ['1'] }, narrowed: 2 },
  { statement: latePeople, args: { scope: plain, ids: ['1'] }, narrowed: 1 },
  { statement: namesById, args: { at: plain, people: ['1'] }, narrowed: 1 },
  { statement: person, args: { scope: plain, userId: '1' }, narrowed: 3 },
  { statement: search, args: { text: 'x', at: plain, limit: 9, withPeople: true }, narrowed: 4 },
  { statement: names, args: {}, narrowed: 3 },
  { statement: values, args: { attributes: ['country'] }, narrowed: 1 },
  { statement: eventsOf, args: { assignmentIds: ['a'], asOf: 0 }, narrowed: 3 },
]

function write({ statement, args }: Written, seen: readonly string[] | null, names = true) {
  const text = statement.text as (args: object, seen: unknown) => ReturnType<typeof sql>
  return toQuery(text(args, toSeen(seen, { ...everybody, names })))
}

test('every reading of versions is narrowed for a narrow reader, and for nobody else', () => {
  const readings = /FROM rollcall\.(?:open|closed)_versions\s+(?:AS version\s+)?WHERE(.*?)(?=UNION|\n {4,}\)|$)/gs
  for (const scope of fc.sample(scopeArb(), { numRuns: 200, seed: 5 })) {
    for (const each of written({ scope, under: ['1'] })) {
      const narrow = write(each, ['7'])
      const [name = ''] = Object.entries(narrow.query_params).find(([, of]) => of === '["7"]') ?? []
      const found = [...narrow.query.matchAll(readings)].map(([, conditions = '']) => conditions)
      expect(found).toHaveLength(narrow.query.split(/FROM rollcall\.(?:open|closed)_versions/).length - 1)
      expect(found.length).toBeGreaterThan(0)
      for (const conditions of found)
        expect(conditions).toContain(`user_id IN (SELECT arrayJoin(JSONExtract(materialize({${name}:String})`)
      expect(JSON.stringify(write(each, null).query_params)).not.toContain('[\\"7\\"]')
    }
  }
})

test('what is read of people in other tables is narrowed, too', () => {
  for (const { narrowed, ...each } of others({ scope: plain, under: [] })) {
    const { query, query_params } = write(each, ['7'])
    const [name = ''] = Object.entries(query_params).find(([, of]) => of === '["7"]') ?? []
    expect(query.split(`{${name}:String}`)).toHaveLength(narrowed + 1)
    expect(Object.values(write(each, null).query_params)).not.toContain('["7"]')
  }
})

test('a statement of a file has the values of its parameters, and is refused without them or without its file’s section', () => {
  const fixed = readFixed(join(import.meta.dirname, '../../reporting/queries/health.sql'))
  const silence = fixed('silence', 'nobody').text as (args: Record<string, unknown>) => ReturnType<typeof sql>
  const { query, query_params } = toQuery(silence({ now: Date.UTC(2026, 0, 1), time_zone: "' OR 1 = 1" }))
  expect(query).toContain("silence_at(now = {p0:DateTime64(3, 'UTC')}, time_zone = {p1:String})")
  expect(query_params).toEqual({ p0: '2026-01-01 00:00:00.000', p1: "' OR 1 = 1" })
  expect(() => silence({ now: 1 })).toThrow('A parameter is not given')
  expect(() => fixed('nothing', 'nobody')).toThrow('has no statement nothing')
})

test('every statement over a scope is narrowed to the people under the managers asked for', () => {
  // Rows that are read by keys were found in the scope before.
  for (const each of written({ scope: { ...plain, manager: ['m'] }, under: ['1'] }).filter(
    ({ statement }) => statement !== rowContent,
  ))
    expect(JSON.stringify(write(each, null).query_params)).toContain('[\\"1\\"]')
})

test('only a statement about names differs for a reader without names', () => {
  for (const each of [...written({ scope: plain, under: [] }), ...others({ scope: plain, under: [] })]) {
    const [named, nameless] = [write(each, null), write(each, null, false)]
    // Rows have a name where they are sorted by it.
    if (each.statement === rows && nameless.query === named.query) continue
    if (each.statement.about === 'names') expect(nameless.query).not.toBe(named.query)
    else expect(nameless).toEqual(named)
  }
})

test('west of Greenwich no day of an unknown date prunes parts: neither in the queue of Grading nor among what is overdue of people', () => {
  const scope = { ...plain, dueZone: 'America/New_York', timeZone: 'America/New_York' }
  const chosen = written({ scope, under: [] }).filter(({ statement }) =>
    [gradingQueue, lateAssignments].some((each) => each === statement),
  )
  expect(chosen).toHaveLength(3)
  for (const each of chosen)
    for (const [before] of write(each, null).query.matchAll(/.{0,90}toDate\((?!as_of|65535)\w+,/gs))
      expect(before).toMatch(/if\(toUnixTimestamp64Milli\(\w+\) != 0, (toUInt16\()?toDate\(\w+,$/s)
})

test('west of Greenwich no day of an unknown date prunes parts: a WHERE asks for a day only where the date is known', () => {
  for (const scope of fc.sample(scopeArb(), { numRuns: 100, seed: 6 })) {
    const { query } = text({ ...scope, dueEnd: 'end_of_day' })
    const [, filters = ''] = /FROM rollcall\.open_versions\s+WHERE(.*?)UNION/s.exec(query) ?? []
    for (const [before] of filters.matchAll(/.{0,60}toDate\((?!as_of|65535)\w+,/gs))
      expect(before).toMatch(/if\(toUnixTimestamp64Milli\(\w+\) != 0, (toUInt16\()?toDate\(\w+,$/)
  }
})
