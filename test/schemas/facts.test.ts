/** The table of facts where random histories seldom go; test/reporting/facts.test.ts has it beside the store. */
import { expect, test } from 'vitest'
import { compile, compileFacts, type Moment, type Version } from '../../reporting/expressions/evaluate.ts'
import { agingBuckets, effectiveStatuses } from '../../schemas/metrics/answer.ts'
import { columns } from '../../schemas/metrics/columns.ts'
import {
  between,
  classIs,
  date,
  day,
  isNot,
  isOfPeople,
  known,
  less,
  people,
  state,
} from '../../schemas/metrics/expression.ts'
import {
  agingFacts,
  conditionOf,
  dayRanges,
  derivedNames,
  expressionOf,
  factBits,
  freeBits,
  holds,
  inView,
  primaryFacts,
  primaryNames,
  factsIn,
  rankingMask,
  toBits,
  type Fact,
} from '../../schemas/metrics/facts.ts'
import { countWhere, kindOf, metricKeys, metricOf, toRate } from '../../schemas/metrics/metrics.ts'
import { findPart, partsOf } from '../../schemas/metrics/parts.ts'
import { freeStateBits, stateBits } from '../../schemas/metrics/state-bits.ts'
import { instants, type Instant } from '../../schemas/metrics/version.ts'

const facts = Object.keys(factBits) as Fact[]
const at = (text: string) => Date.parse(text)
const version: Version = {
  class: 0,
  state: 0,
  user_id: 'u1',
  challenge_id: 'c1',
  ...(Object.fromEntries(instants.map((name) => [name, 0])) as Record<Instant, number>),
  created_at: at('2026-03-01'),
  due_date: at('2026-03-10T09:00Z'),
}
const moment: Moment = {
  asOf: at('2026-03-10T10:00Z'),
  timeZone: 'UTC',
  dueZone: 'UTC',
  dueEnd: 'end_of_day',
}
const factsOf = (asked: Partial<Moment>, sent: Partial<Version> = {}) =>
  factsIn(compileFacts({ ...moment, ...asked }, 7)({ ...version, ...sent }))

test('on its due day work is due soon, and late only where the instant counts and has passed', () => {
  expect(factsOf({})).toEqual(['due_soon', 'due_known', 'open', 'not_started'])
  expect(factsOf({ dueEnd: 'instant' })).toEqual(['late', 'overdue', 'due_known', 'open', 'aging_1_7'])
  expect(factsOf({ dueEnd: 'instant', asOf: version.due_date })).toContain('due_soon')
  expect(factsOf({ asOf: at('2026-03-02T23:59Z') })).not.toContain('due_soon')
  expect(factsOf({ asOf: at('2026-03-03T00:00Z') })).toContain('due_soon')
  // Work that awaits grading is neither the learner's nor not started.
  const awaiting = factsOf({}, { class: 1, reviewers_due_date: at('2026-03-09') })
  expect(awaiting).toEqual([
    'due_known',
    'reviewers_due_known',
    'awaiting_grading',
    'reviewers_late',
    'reviewer_overdue',
  ])
})

test.each([
  [1, 'aging_1_7'],
  [7, 'aging_1_7'],
  [8, 'aging_8_14'],
  [14, 'aging_8_14'],
  [15, 'aging_15_30'],
  [30, 'aging_15_30'],
  [31, 'aging_31_60'],
  [60, 'aging_31_60'],
  [61, 'aging_61_90'],
  [90, 'aging_61_90'],
  [91, 'aging_91'],
  [9_000, 'aging_91'],
])('%i days late is %s', (days, fact) => {
  const aged = factsOf({ asOf: at('2026-03-10') + days * 86_400_000 }).filter((each) =>
    each.startsWith('aging'),
  )
  expect(aged).toEqual([fact])
})

test('every bit is of one fact, or free', () => {
  const [stored, others] = [
    [...Object.values(stateBits), ...freeStateBits],
    [...derivedNames, ...primaryNames],
  ]
  expect(stored.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, bit) => bit))
  const used = others.map((fact) => factBits[fact])
  expect([...used, ...freeBits].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, n) => 24 + n),
  )
})

test('bits hold the facts that they are made of', () => {
  for (const fact of facts) expect(factsIn(toBits([fact]))).toEqual([fact])
  expect(factsIn(toBits(facts))).toEqual(facts)
  expect(holds('all', toBits([]))).toBe(true)
})

test('rankings know what makes their rates and their work', () => {
  // Every number of people, teams, challenges and managers is made of these.
  expect(factsIn(rankingMask).toSorted()).toEqual(
    [
      'awaiting_grading completed completed_at_known completed_in_time due_known',
      'failed graded late overdue submitted',
    ].flatMap((line) => line.split(' ')),
  )
})

test('a fact is stored, or has an expression, or follows from others', () => {
  for (const fact of facts) {
    const isDerived = (derivedNames as Fact[]).includes(fact)
    const expression = expressionOf(fact)
    const isPrimary = primaryFacts.some(({ bit }) => bit === factBits[fact])
    expect([fact, expression !== undefined]).toEqual([fact, isPrimary])
    if (isDerived) expect(conditionOf(fact)).toBeTypeOf('object')
  }
  expect(conditionOf('overdue')).toEqual({ and: ['open', 'late'] })
  expect(expressionOf('late')).toEqual(primaryFacts.find(({ bit }) => bit === factBits.late)?.is)
})

test('the days since the due day are told apart where facts do', () => {
  expect(dayRanges(5)).toEqual([
    [-5, 0],
    [-9_999, 7],
    [8, 14],
    [15, 30],
    [31, 60],
    [61, 90],
    [91, 99_999],
  ])
})

test('where the views say a fact, they have the column and its values', () => {
  const values = new Set<string>([...agingBuckets, ...effectiveStatuses])
  const unsaid: Fact[] = []
  const columnOf = (fact: Fact) => (inView(fact) as { column: string }).column
  for (const fact of facts) {
    const said = inView(fact)
    if (!('column' in said)) {
      expect(said).toEqual('is' in said ? { is: expressionOf(fact) } : { follows: conditionOf(fact) })
      continue
    }
    const [column = ''] = /\b[a-z]+(_[a-z]+)*\b(?!\()/.exec(said.column) ?? []
    if (!(column in columns)) unsaid.push(fact)
    for (const [, value = ''] of said.column.matchAll(/'([^']*)'/g))
      expect(values, `${fact}: ${said.column}`).toContain(value)
  }
  // No metric and no filter asks for these.
  expect(unsaid).toEqual(['reported_on_time_known', 'reported_on_time', 'deleted', 'percentage_minus_one'])
  for (const bucket of agingBuckets) expect(columnOf(agingFacts[bucket])).toContain(`'${bucket}'`)
  expect(columnOf('in_progress')).toContain(`'in_progress'`)
  expect(columnOf('not_started')).toContain(`'not_started'`)
  expect(columnOf('reported_overdue_known')).toBe('is_overdue IS NOT NULL')
  expect(columnOf('grade_known')).toBe('calculated_grade_as_sent IS NOT NULL')
})

test('filters are evaluated over one version as they are printed', () => {
  const late = { ...version, created_at: at('2026-03-01T23:30Z'), state: 1 << 6 }
  const is = (of: Parameters<typeof compile>[0], who = {}) =>
    compile(of, { ...moment, timeZone: 'Europe/Berlin' }, who)(late)
  expect([is(state('viewed')), is(state('completed'))]).toEqual([1, 0])
  expect([is(classIs(0)), is(classIs(1)), is(isNot(classIs(1))), is(isNot(classIs(0)))]).toEqual([1, 0, 1, 0])
  // Created on 2 March in Berlin, on 1 March where the due days are counted.
  const created = (from?: string, to?: string) => is(between(from, 'created_at', 'reporting', to))
  expect([
    created('2026-03-02', '2026-03-02'),
    created('2026-03-02'),
    created(undefined, '2026-03-02'),
  ]).toEqual([1, 1, 1])
  expect([created('2026-03-03'), created(undefined, '2026-03-01')]).toEqual([0, 0])
  expect(is(less(day('created_at', 'due'), date('2026-03-02')))).toBe(1)
  expect([
    is(known('created_at')),
    is(known('completed_at')),
    is(between(undefined, 'completed_at', 'due', undefined)),
  ]).toEqual([1, 0, 0])
  const among = (column: 'user_id' | 'challenge_id', id: string) =>
    is({ is: 'among', column, ids: ['x', id] })
  expect([among('user_id', 'u1'), among('user_id', 'u2'), among('challenge_id', 'c1')]).toEqual([1, 0, 1])
  expect([is(people('left'), { left: () => true }), is(people('left'), { left: () => false })]).toEqual([
    1, 0,
  ])
  expect(() => is(people('under'), { left: () => true })).toThrow('Nobody said who the people in "under" are')
})

test('a filter of people is known as one, also where it leaves them out', () => {
  const filters = [
    people('left'),
    isNot(people('teams')),
    isNot(isNot(people('under'))),
    classIs(0),
    isNot(classIs(0)),
  ]
  expect(filters.map(isOfPeople)).toEqual([true, true, true, false, false])
})

test('a rate counts each assignment once: in its first reason, or above and below the line', () => {
  const row = (some: Fact[], n: number) => ({ ...toBits(some), n })
  const shape = {
    of: 'viewed',
    excluded: { failed: 'failed', open: 'open' },
    numerator: 'completed',
  } as const
  const rows = [
    row(['viewed', 'failed', 'open', 'completed'], 1),
    row(['viewed', 'open'], 2),
    row(['viewed', 'completed'], 3),
  ]
  const more = [row(['viewed'], 4), row(['completed'], 5)]
  expect(toRate([...rows, ...more], shape)).toEqual({
    value: 3 / 7,
    numerator: 3,
    denominator: 7,
    excluded: { failed: 1, open: 2 },
  })
  expect(toRate([], shape)).toMatchObject({ value: null, excluded: { failed: 0, open: 0 } })
  expect(countWhere([...rows, ...more], 'completed')).toBe(9)
})

test('every metric has a kind, and the words of its row', () => {
  expect(metricKeys.filter((key) => metricOf(key).title === '' || metricOf(key).definition === '')).toEqual(
    [],
  )
  expect([
    kindOf('assigned'),
    kindOf('on_time_rate'),
    kindOf('aging'),
    kindOf('people_fully_complete'),
  ]).toEqual(['count', 'rate', 'list', 'rate'])
})

test('the parts of every metric together are its number', () => {
  // A row for every fact and every two of them, so that every condition is told apart.
  const rows = facts.flatMap((one) => facts.map((two) => ({ ...toBits([one, two]), n: 1 })))
  const count = (key: (typeof metricKeys)[number], name: string) => {
    const part = partsOf(key).find((each) => each.name === name)
    return part && countWhere(rows, part.holds)
  }
  for (const key of metricKeys) {
    const metric = metricOf(key)
    const names = partsOf(key).map(({ name }) => name)
    expect(new Set(names).size, key).toBe(names.length)
    if (metric.by === 'count') expect([key, count(key, 'value')]).toEqual([key, countWhere(rows, metric.of)])
    if (metric.by === 'rate') {
      const { numerator, denominator, excluded } = toRate<string>(rows, metric)
      const parts = ['numerator', 'denominator', 'remainder'].map((name) => count(key, name))
      expect([key, ...parts]).toEqual([key, numerator, denominator, denominator - numerator])
      const found = Object.keys(excluded).map((reason) => [reason, count(key, `excluded.${reason}`)])
      expect([key, Object.fromEntries(found)]).toEqual([key, excluded])
    }
    if (metric.by === 'lines') expect(names).toEqual(Object.keys(metric.lines))
    if (metric.by === 'people' || metric.by === 'periods') expect(names).toEqual([])
    if (metric.by === 'grades') expect(names).toEqual(['n'])
    if (metric.by === 'backlog' || metric.by === 'duration') {
      const [all, some] =
        metric.by === 'backlog'
          ? ['value', ['untouched', 'partially_graded']]
          : ['', ['n', 'censored', 'unknown']]
      expect(names).toEqual(all === '' ? some : [all, ...some])
      const whole = countWhere(rows, metric.of)
      expect(some.reduce((sum, name) => sum + (count(key, name) ?? 0), 0)).toBe(whole)
    }
    if (metric.by === 'rates') {
      const within = rows.filter((row) => holds(metric.of, row))
      for (const [name, shape] of Object.entries(metric.rates)) {
        const { numerator, denominator } = toRate<string>(within, shape)
        expect([count(key, `${name}.numerator`), count(key, `${name}.denominator`)]).toEqual([
          numerator,
          denominator,
        ])
      }
    }
  }
})

test('a part is narrowed by the parameters of the page where these can say it', () => {
  const narrow = (key: (typeof metricKeys)[number], name: string) =>
    partsOf(key).find((part) => part.name === name)?.narrow
  expect(narrow('assigned', 'value')).toEqual({})
  expect(narrow('overdue', 'value')).toEqual({ fact: ['overdue'] })
  expect(narrow('aging', '31-60')).toEqual({ aging: ['31-60'] })
  expect(narrow('statuses', 'failed')).toEqual({ status: ['failed'] })
  expect([narrow('completion_rate', 'denominator'), narrow('on_time_rate', 'denominator')]).toEqual([
    {},
    undefined,
  ])
  expect(narrow('funnel', 'viewed')).toBeUndefined()
  expect([narrow('completion_rate', 'numerator'), narrow('overdue_rate', 'numerator')]).toEqual([
    { fact: ['completed'] },
    { fact: ['overdue'] },
  ])
  expect([narrow('pass_rate', 'numerator'), narrow('deadline_moves', 'value')]).toEqual([
    undefined,
    { fact: ['deadline_moved'] },
  ])
})

test('lines of periods and bins of grades are found by their value, and nothing else is', () => {
  expect(findPart('trend', '2026-11-16.graded', 'week')?.line).toEqual({ of: 'graded', start: '2026-11-16' })
  const none = [
    '2026-11-17.graded',
    '2026-11-16.toString',
    '2026-13-40.graded',
    'x2026-11-16.graded',
    '2026-11-16.graded.x',
    'value',
  ]
  for (const name of none) expect([name, findPart('trend', name, 'week')]).toEqual([name, undefined])
  expect(findPart('trend', '2026-02-30.graded', 'day')).toBeUndefined()
  const bins = ['bin.0', 'bin.70', 'bin.90'].map((name) => findPart('grade', name, 'day')?.line)
  expect(bins).toEqual([0, 7, 9].map((bin) => ({ of: 'bin', bin })))
  for (const name of ['bin.7', 'bin.100', 'xbin.70', 'bin.700', 'bin.0x', 'xbin.0'])
    expect(findPart('grade', name, 'day')).toBeUndefined()
  expect(findPart('overdue', 'bin.70', 'day')).toBeUndefined()
  expect(findPart('overdue', 'value', 'day')?.holds).toBe('overdue')
})
