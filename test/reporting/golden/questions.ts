/** Every question of the reports about a scope; `number` chooses among the questions that a reader may add. */
import { changeCauses, changeKinds } from '../../../reporting/metrics/changes.ts'
import { waitingAges, type WaitingAge } from '../../../reporting/metrics/grading.ts'
import { parseChangeCursor } from '../../../reporting/queries/changes.ts'
import { learnerFilters } from '../../../reporting/scope/learner-request.ts'
import type { Queries } from '../../../reporting/queries/queries.ts'
import { rowSorts } from '../../../reporting/scope/row-order.ts'
import { metricKeys } from '../../../schemas/metrics/metrics.ts'
import { findPart, partsOf } from '../../../schemas/metrics/parts.ts'
import type { Scope } from '../../model/scope.ts'

const dayMs = 86_400_000
const nth = <Value>(values: readonly Value[], number: number): Value =>
  values[number % values.length] as Value
const earlier = (scope: Scope, number: number): Scope => ({
  ...scope,
  asOf: scope.asOf - (1 + (number % 40)) * dayMs,
})

export const questions: Record<string, (queries: Queries, scope: Scope, number: number) => Promise<unknown>> =
  {
    metrics: (queries, scope) => queries.metrics(scope),
    overview: (queries, scope, number) =>
      queries.overview(scope, number % 2 === 0 ? null : { ...scope, asOf: scope.asOf - 30 * dayMs }),
    facts: async (queries, scope) => {
      const { facts, answer } = await queries.facts(scope)
      return {
        facts: facts.map(({ low, high, n }) => ({
          bits: String((BigInt(high) << 32n) | BigInt(low)),
          count: n,
        })),
        answer,
      }
    },
    frame: async (queries, scope, number) => (number % 8 === 0 ? [(await queries.frame(scope)).options] : []),
    challenges: async (queries, scope) => queries.groups(scope, 'challenge'),
    teams: async (queries, scope) => queries.groups(scope, 'team'),
    values: async (queries, scope, number) =>
      queries.groups(scope, number % 2 === 0 ? 'attribute.country' : 'attribute.site'),
    filtered: async (queries, scope, number) => {
      const attributes: Scope['attribute'] = [
        ['country', number % 3 === 0 ? ['DE'] : ['DE', 'FR']],
        ['site', ['7', 'true']],
      ]
      const filtered = { ...scope, attribute: attributes.slice(number % 2) }
      return [
        await queries.metrics(filtered),
        await queries.changeCounts(earlier(filtered, number), filtered),
      ]
    },
    managers: (queries, scope, number) => queries.managers(scope, number % 2 === 0 ? undefined : 1),
    rows: async (queries, scope, number) => {
      const order = { by: nth(rowSorts, number), descending: number % 4 < 2 }
      const first = await queries.assignments(scope, { order, limit: 7, withTotal: true })
      const next = await queries.assignments(scope, { order, cursor: first.next, limit: 7, withTotal: true })
      const later = await queries.assignments(scope, { order, offset: 5, limit: 4, withTotal: true })
      return [first, next, later]
    },
    export: async (queries, scope) => {
      const rows = []
      for await (const page of await queries.allAssignments(scope)) rows.push(...page)
      // Rows that are not held come in the order of the engine.
      return rows.sort((a, b) => (a.assignment_id < b.assignment_id ? -1 : 1))
    },
    learners: async (queries, scope, number) => {
      const counts = await queries.learnerCounts(scope)
      const search = number % 5 === 0 ? '1' : undefined
      const own = {
        search,
        only: nth([undefined, ...learnerFilters], number),
        by: nth(['-assigned', 'user_name'], number),
      }
      return [
        await queries.learners(scope, counts, { offset: 0, limit: 20 }),
        await queries.learners(scope, counts, { ...own, offset: 1, limit: 3 }),
      ]
    },
    changes: (queries, scope) =>
      queries.changes({ ...scope, asOf: scope.asOf - 9 * dayMs }, scope, { limit: 50 }),
    changeCounts: (queries, scope) => queries.changeCounts({ ...scope, asOf: scope.asOf - 9 * dayMs }, scope),
    daysToComplete: (queries, scope) => queries.daysToComplete(scope),
    overdue: (queries, scope) => queries.overdue(scope),
    grading: (queries, scope) => queries.grading(scope),
    gradingQueue: (queries, scope) => queries.gradingQueue(scope, { offset: 0, limit: 20 }),
    partRows: async (queries, scope, number) => {
      const metric = nth(metricKeys, number)
      const day = new Date(scope.asOf - (number % 5) * dayMs).toISOString().slice(0, 10)
      const lines = ['assigned', 'completed', 'graded', 'became_overdue', 'overdue_at_end']
      const names = [
        ...partsOf(metric).map(({ name }) => name),
        `bin.${number % 10}0`,
        ...lines.map((of) => `${day}.${of}`),
      ]
      const own = { ...scope, period: 'day' as const }
      const known = names.filter((name) => findPart(metric, name, own.period) !== undefined)
      const pages = []
      for (const name of known)
        pages.push(
          await queries.assignments({ ...own, part: { metric, name } }, { limit: 5, withTotal: true }),
        )
      return pages
    },
    chosenChanges: async (queries, scope, number) => {
      const before = earlier(scope, number)
      const page = { kinds: number % 3 === 0 ? [] : [nth(changeKinds, number), 'other' as const], limit: 4 }
      const causes = number % 2 === 0 ? [] : [nth(changeCauses, number)]
      const first = await queries.changes(before, scope, { ...page, causes })
      return [
        first,
        first.next &&
          (await queries.changes(before, scope, { ...page, causes, after: parseChangeCursor(first.next) })),
      ]
    },
    queuePages: async (queries, scope, number) => {
      const ages = Object.keys(waitingAges) as WaitingAge[]
      const requests = [
        { age: nth(ages, number) },
        { graded: new Date(scope.asOf - (number % 9) * dayMs).toISOString().slice(0, 10) },
        {},
      ]
      const pages = []
      for (const request of requests) {
        for (const offset of [0, 2])
          pages.push(await queries.gradingQueue(scope, { ...request, offset, limit: 2 }))
      }
      return pages
    },
  }

/** Sums of fractions may differ in the last digits by their order, and lists without an order by how they were found. */
export function toText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return String(each)
    if (typeof each === 'number') return Number(each.toPrecision(11))
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Questions whose lines have no order of their own. */
const unordered = ['facts', 'challenges', 'teams', 'values', 'managers']
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => toText(sorted(each))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, sorted(each)]))
}

/** Fields of an object on lines of their own, and so the elements of its lists. */
function toLines(value: unknown, depth = 0): string {
  if (depth > 2 || typeof value !== 'object' || value === null) return toText(value)
  const inside = Array.isArray(value)
    ? value.map((each) => toLines(each, depth + 1))
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, each]) => `${name}: ${toLines(each, depth + 1)}`)
  const indent = '  '.repeat(depth)
  return inside.length === 0 ? '[]' : `[${inside.map((line) => `\n${indent}  ${line}`).join('')}]`
}

/** Names to choose from would fill most of the files; the question `frame` has them. */
function withoutOptions(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('options' in answer)) return answer
  const { options: _options, ...rest } = answer
  return rest
}

export const toAnswerText = (question: string, answer: unknown): string =>
  toLines(unordered.includes(question) ? sorted(answer) : withoutOptions(answer))
