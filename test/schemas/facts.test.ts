/** The table of facts where random histories seldom go; test/reporting/facts.test.ts has it beside the store. */
import { expect, test } from 'vitest'
import { compileFacts, type Moment, type Version } from '../../reporting/expressions/evaluate.ts'
import { agingBuckets } from '../../schemas/metrics/answer.ts'
import {
  agingFacts,
  dayRanges,
  derivedNames,
  factBits,
  freeBits,
  holds,
  inView,
  primaryNames,
  factsIn,
  rankingMask,
  toBits,
  type Fact,
} from '../../schemas/metrics/facts.ts'
import { countWhere, metricKeys, metricOf, toRate } from '../../schemas/metrics/metrics.ts'
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

test.each<[metric: (typeof metricKeys)[number], part: string, narrow: object | undefined]>([
  ['assigned', 'value', {}],
  ['overdue', 'value', { fact: ['overdue'] }],
  ['deadline_moves', 'value', { fact: ['deadline_moved'] }],
  ['aging', '31-60', { aging: ['31-60'] }],
  ['statuses', 'failed', { status: ['failed'] }],
  ['funnel', 'viewed', undefined],
  ['completion_rate', 'numerator', { fact: ['completed'] }],
  ['completion_rate', 'denominator', {}],
  ['on_time_rate', 'denominator', undefined],
  ['overdue_rate', 'numerator', { fact: ['overdue'] }],
  ['pass_rate', 'numerator', undefined],
])('the rows of %s, %s, have these filters: %j', (metric, part, narrow) => {
  expect(partsOf(metric).find(({ name }) => name === part)?.narrow).toEqual(narrow)
})

test('views say each fact by a column; rankings and days since the due day have what numbers need', () => {
  for (const bucket of agingBuckets)
    expect(inView(agingFacts[bucket])).toEqual({ column: `ifNull(aging_bucket = '${bucket}', false)` })
  for (const fact of ['in_progress', 'not_started'] as const)
    expect(inView(fact)).toEqual({ column: `effective_status = '${fact}'` })
  const named = ['overdue', 'due_soon', 'reviewer_overdue', 'completed_on_time', 'reported_mismatch'] as const
  for (const fact of [...named, 'open', 'awaiting_grading'] as const)
    expect(inView(fact)).toEqual({ column: fact })
  expect(inView('grade_known')).toEqual({ column: 'calculated_grade_as_sent IS NOT NULL' })
  expect(inView('reported_overdue')).toEqual({ column: 'ifNull(is_overdue, false)' })
  const ranked = 'completed failed submitted graded overdue late due_known completed_at_known'
  expect(factsIn(rankingMask).toSorted()).toEqual(
    `${ranked} awaiting_grading completed_in_time`.split(' ').toSorted(),
  )
  const aged = [-9_999, 7, 8, 14, 15, 30, 31, 60, 61, 90, 91, 99_999]
  expect(dayRanges(5).flat()).toEqual([-5, 0, ...aged])
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
