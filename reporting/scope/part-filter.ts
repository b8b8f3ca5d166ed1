/**
 * The filter of rows: one part of a metric, as `/api/metrics/explain` names them. It narrows rows and no number, so it is
 * not one of `filters`.
 */
import { z } from 'zod'
import { addDays, shiftPeriod } from '../../schemas/metrics/calendar.ts'
import { factBits, type Condition, type Fact } from '../../schemas/metrics/facts.ts'
import { metricKeys } from '../../schemas/metrics/metrics.ts'
import { findPart, type Part } from '../../schemas/metrics/parts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toDay, type Filter } from './filter.ts'

export const partFilter: Filter<'metric' | 'part'> = {
  parameters: {
    metric: z
      .enum(metricKeys)
      .optional()
      .meta({ description: 'With `part`: only the rows that this part of the metric counts' }),
    part: z
      .string()
      .optional()
      .meta({
        description:
          'A part of `metric`, as `/api/metrics/explain` names them; a line of a list of periods as `2026-11-16.graded`, a bin of grades as `bin.70`',
        examples: ['numerator', 'excluded.no_due_date'],
      }),
  },
  read(given, scope) {
    const metric = given.one('metric', (text) => metricKeys.find((key) => key === text), { code: 'not_a_metric' })
    const name = given.one('part', (text) => text, { code: 'no_such_part' })
    if (metric === undefined && name === undefined) return {}
    if (metric !== undefined && name !== undefined && findPart(metric, name, scope.period) !== undefined)
      return { part: { metric, name } }
    given.refuse(['part', 'metric'], { code: 'no_such_part' })
    return {}
  },
  sql: toPartParams,
  words: { metric: { label: 'Metric' }, part: { label: 'Part' } },
}

/** Of which part the rows are, for the statements over rows. */
function partOf({ part, period }: Scope): Part | undefined {
  if (part === undefined) return undefined
  const found = findPart(part.metric, part.name, period)
  if (found === undefined) throw new RangeError(`${part.metric} has no part ${part.name}`)
  return found
}

function toPartParams(scope: Scope): Record<string, unknown> {
  const part = partOf(scope)
  if (part === undefined) return {}
  const cubes = toCubes(part.holds)
  const { line } = part
  return {
    part_masks: cubes.map(({ mask }) => mask),
    part_values: cubes.map(({ value }) => value),
    ...(line !== undefined &&
      'start' in line && {
        part_from: toDay(line.start),
        part_to: toDay(addDays(shiftPeriod(scope.period, line.start, 1), -1)),
      }),
    ...(line !== undefined && 'bin' in line && { part_bin: line.bin }),
  }
}

/** Which lines `rows-at.sql` has for the scope. */
export function toPartFlags(scope: Scope): Record<string, boolean> {
  const part = partOf(scope)
  const of = part?.line?.of
  return {
    part: part !== undefined,
    part_created: of === 'created',
    part_completed: of === 'completed',
    part_graded: of === 'graded',
    part_turned: of === 'became_overdue',
    part_at_end: of === 'overdue_at_end',
    part_spans: of === 'became_overdue' || of === 'overdue_at_end',
    part_bin: of === 'bin',
  }
}

/** All assignments whose facts under `mask` are `value`. */
export type Cube = { mask: bigint; value: bigint }

/**
 * The facts for which a condition holds, as cubes that do not overlap: the rule that counts a number also selects its rows, in the store and
 * in one statement.
 */
export function toCubes(condition: Condition): Cube[] {
  return cubesOf(condition, true, [{ mask: 0n, value: 0n }])
}

/** Of `from` what makes the condition true, or false. */
function cubesOf(condition: Condition, isWanted: boolean, from: readonly Cube[]): Cube[] {
  if (condition === 'all') return isWanted ? [...from] : []
  if (typeof condition === 'string') return from.flatMap((cube) => withFact(cube, condition, isWanted))
  if ('not' in condition) return cubesOf(condition.not, !isWanted, from)
  if ('days' in condition) throw new RangeError('The store keeps no days beside the facts')
  const isAnd = 'and' in condition
  const [first, ...others] = isAnd ? condition.and : condition.or
  if (first === undefined) return isAnd === isWanted ? [...from] : []
  const rest: Condition = isAnd ? { and: others } : { or: others }
  // All of them have to be so, or the first one that is otherwise decides.
  if (isAnd === isWanted) return cubesOf(rest, isWanted, cubesOf(first, isWanted, from))
  return [...cubesOf(first, isWanted, from), ...cubesOf(rest, isWanted, cubesOf(first, !isWanted, from))]
}

function withFact({ mask, value }: Cube, fact: Fact, isSet: boolean): Cube[] {
  const bit = 1n << BigInt(factBits[fact])
  if ((mask & bit) !== 0n) return ((value & bit) !== 0n) === isSet ? [{ mask, value }] : []
  return [{ mask: mask | bit, value: isSet ? value | bit : value }]
}
