import type { Hono } from 'hono'
import { toInstantOrNull } from '../../../schemas/instant.ts'
import { toFactCount } from '../../../schemas/metrics/facts.ts'
import { countWhere, metricKeys } from '../../../schemas/metrics/metrics.ts'
import { partsOf } from '../../../schemas/metrics/parts.ts'
import { parseChangeCursor, changeSchema } from '../../../reporting/queries/changes.ts'
import type { StoredFacts } from '../../../reporting/queries/queries.ts'
import {
  createOwnParameters,
  refuse,
  toParams,
  toWholeNumber,
  type ApiContext,
  toApiProblem,
} from '../api-context.ts'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import { z } from 'zod'
import { metricKey, metrics, metricsAnswer } from './metrics.ts'
import { count, instant } from '../../../schemas/answers/values.ts'

const ownParameters = ['from', 'to', 'per_page', 'after']

/** `/changes`: what changed between two moments, in numbers and assignment by assignment. */
export function mountChanges(app: Hono, { queries, settings, clock }: ApiContext): void {
  app.get('/changes', async (c) => {
    const params = toParams(c)
    const now = clock()
    const at = (moment: 'from' | 'to') => {
      const scopeParams = new URLSearchParams([...params].filter(([name]) => !ownParameters.includes(name)))
      scopeParams.delete('as_of')
      for (const value of params.getAll(moment)) scopeParams.append('as_of', value)
      return parseScope(scopeParams, { now, settings })
    }
    const [before, after] = [at('from'), at('to')]
    const { problems, pick, need } = createOwnParameters(params)
    if (params.has('as_of'))
      problems.push({ parameter: 'as_of', message: 'means nothing here; give from and to' })
    need('from', params.get('from') ?? undefined, 'an instant with offset or a date')
    const perPage =
      pick('per_page', (text) => toWholeNumber(text, 1, 1000), 'a whole number from 1 to 1000') ?? 100
    const next = pick('after', parseChangeCursor, 'taken from the link "next"')
    for (const [name, parsed] of [
      ['from', before],
      ['to', after],
    ] as const) {
      for (const { parameter, message } of parsed.problems.map(toApiProblem)) {
        const key = parameter === 'as_of' ? name : parameter
        if (!problems.some((problem) => problem.parameter === key)) problems.push({ parameter: key, message })
      }
    }
    if (problems.length === 0 && before.scope.asOf > after.scope.asOf) {
      problems.push({ parameter: 'from', message: 'must not be after to' })
    }
    if (problems.length > 0) return refuse(c, problems)
    // Before all rows, since it says how far they are complete.
    const complete_through = toInstantOrNull(await queries.completeThrough())
    // The rows first: their events are read while the numbers are added up.
    const [page, first, last] = await Promise.all([
      queries.changes(before.scope, after.scope, { after: next, limit: perPage }),
      queries.facts(before.scope),
      queries.facts(after.scope),
    ])
    const { as_of: _, metrics: __, ...frame } = last.answer
    const more = new URLSearchParams(params)
    more.set('from', first.answer.as_of)
    more.set('to', last.answer.as_of)
    if (page.next !== null) more.set('after', page.next)
    return c.json({
      from: first.answer.as_of,
      to: last.answer.as_of,
      ...frame,
      complete_through,
      metrics: { from: first.answer.metrics, to: last.answer.metrics },
      parts: toParts(first.facts, last.facts),
      total: page.total,
      next: page.next === null ? null : `/api/changes?${more.toString()}`,
      assignments: page.changes,
    })
  })
}

/** The parts of all metrics that count assignments. */
function toParts(before: readonly StoredFacts[], after: readonly StoredFacts[]) {
  const [first, last] = [before, after].map((facts) =>
    facts.map(({ bits, count }) => toFactCount(bits, count)),
  )
  return metricKeys.flatMap((metric) =>
    partsOf(metric).map(({ name, holds }) => {
      const [from, to] = [countWhere(first ?? [], holds), countWhere(last ?? [], holds)]
      return { metric, part: name, from, to, difference: to - from }
    }),
  )
}

const { metrics: _, as_of: __, ...frame } = metricsAnswer.shape

export const changesAnswer = z
  .object({
    from: instant,
    to: instant,
    ...frame,
    metrics: z.object({ from: metrics, to: metrics }),
    parts: z
      .array(z.object({ metric: metricKey, part: z.string(), from: count, to: count, difference: count }))
      .meta({
        description: 'The differences of the assignments below add up to these',
      }),
    total: count,
    next: z.string().nullable(),
    assignments: z.array(changeSchema),
  })
  .meta({ id: 'ChangesAnswer' })
