/**
 * The parts of a metric's number: its numerator, its denominator, its exclusions and why, or its lines. They follow from the table of
 * metrics, so a part and the number cannot disagree.
 */
import { agingBuckets, effectiveStatuses, type Metrics, type Period } from './answer.ts'
import { toCalendarDate, toPeriodStart } from './calendar.ts'
import { any, both, not, type Condition } from './facts.ts'
import { metricOf, partsOfDuration, type PeriodLine, type RateShape } from './metrics.ts'
import type { Scope } from './scope.ts'

/** The condition of a line of a list besides facts: a day in the period that begins then, or the grade. */
export type Line = { of: PeriodLine; start: string } | { of: 'bin'; bin: number }

/** The parameters of a scope that narrow it to a part, where they can. */
type Narrow = Partial<Pick<Scope, 'fact' | 'status' | 'aging'>>

/** One of the numbers that a metric is made of: assignments for which a condition holds. */
export type Part = { name: string; holds: Condition; narrow?: Narrow; line?: Line }

/** The parts that a metric names by itself; lines of periods and bins of grades have names by their value. */
export function partsOf(key: keyof Metrics): Part[] {
  const metric = metricOf(key)
  switch (metric.by) {
    case 'count':
      return [toPart('value', metric.of)]
    case 'rate':
      return [
        ...toRateParts(metric, { numerator: metric.sameAs && { fact: [metric.sameAs] } }),
        ...Object.entries(metric.also ?? {}).map(([name, condition]) => ({ name, holds: condition })),
      ]
    case 'lines':
      return Object.entries(metric.lines).map(([name, condition]) => ({
        name,
        holds: condition,
        ...toNarrowLine(metric.name, name),
      }))
    case 'duration':
      return Object.entries(partsOfDuration(metric)).map(([name, holds]) => ({ name, holds }))
    case 'grades':
      return [{ name: 'n', holds: metric.of }]
    case 'backlog':
      return [
        toPart('value', metric.of),
        { name: 'untouched', holds: both(metric.of, not(metric.partly)) },
        { name: 'partially_graded', holds: both(metric.of, metric.partly) },
      ]
    case 'rates':
      return [
        toPart('value', metric.of),
        ...Object.entries(metric.rates).flatMap(([name, shape]) =>
          toRateParts(shape, { within: metric.of, prefix: `${name}.` }),
        ),
      ]
    case 'people':
    case 'periods':
      return []
  }
}

function toPart(name: string, condition: Condition): Part {
  if (condition === 'all') return { name, holds: condition, narrow: {} }
  return { name, holds: condition, narrow: { fact: [condition as Scope['fact'][number]] } }
}

function toNarrowLine(of: 'bucket' | 'status' | 'stage', name: string): Pick<Part, 'narrow'> {
  const bucket = agingBuckets.find((each) => of === 'bucket' && each === name)
  const status = effectiveStatuses.find((each) => of === 'status' && each === name)
  if (bucket !== undefined) return { narrow: { aging: [bucket] } }
  return status === undefined ? {} : { narrow: { status: [status] } }
}

type RatePartOptions = { within?: Condition; prefix?: string; numerator?: Narrow | undefined }

function toRateParts(shape: RateShape, { within = 'all', prefix = '', numerator }: RatePartOptions): Part[] {
  const reasons = Object.entries(shape.excluded)
  const isOf = both(within, shape.of)
  const isCounted = both(isOf, not(any(...reasons.map(([, condition]) => condition))))
  const isWhole = reasons.length === 0 && shape.of === 'all' && within === 'all'
  return [
    {
      name: `${prefix}numerator`,
      holds: both(isCounted, shape.numerator),
      ...(numerator && { narrow: numerator }),
    },
    { name: `${prefix}denominator`, holds: isCounted, ...(isWhole && { narrow: {} }) },
    { name: `${prefix}remainder`, holds: both(isCounted, not(shape.numerator)) },
    ...reasons.map(([reason, condition], at) => ({
      name: `${prefix}excluded.${reason}`,
      holds: both(isOf, condition, not(any(...reasons.slice(0, at).map(([, before]) => before)))),
    })),
  ]
}

/** A part by its name: one of `partsOf`, a line of a list of periods (`2026-11-16.graded`), or a bin of grades (`bin.70`). */
export function findPart(key: keyof Metrics, name: string, period: Period): Part | undefined {
  const metric = metricOf(key)
  const named = partsOf(key).find((part) => part.name === name)
  if (named !== undefined) return named
  if (metric.by === 'grades') {
    const bin = /^bin\.([0-9])0$|^bin\.0$/.exec(name)
    return bin === null
      ? undefined
      : { name, holds: metric.of, line: { of: 'bin', bin: Number(bin[1] ?? 0) } }
  }
  if (metric.by !== 'periods') return undefined
  const [, start = '', kind = ''] = /^(\d{4}-\d{2}-\d{2})\.(\w+)$/.exec(name) ?? []
  const line = Object.hasOwn(metric.lines, kind) ? metric.lines[kind] : undefined
  if (line === undefined || toCalendarDate(start) === undefined || toPeriodStart(period, start) !== start)
    return undefined
  return { name, holds: line.holds, line: { of: line.of, start } }
}
