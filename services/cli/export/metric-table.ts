/** All metrics of an answer as one table: a line per number, so it fits a sheet. Lists have a line per entry. */
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'

export const metricColumns = ['metric', 'of', 'field', 'value'] as const

type Line = [metric: string, of: string, field: string, value: string | number | boolean | null]

export function toMetricLines({ metrics }: MetricsAnswer): Line[] {
  return Object.entries(metrics).flatMap(([metric, value]) => toLines(metric, '', value))
}

function toLines(metric: string, of: string, value: unknown, field = ''): Line[] {
  if (Array.isArray(value)) return value.flatMap((entry) => toEntryLines(metric, of, entry as unknown))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      toLines(metric, of, inner, field === '' ? key : `${field}.${key}`),
    )
  }
  return [[metric, of, field === '' ? 'value' : field, value as Line[3]]]
}

/** The first field of an entry is its label: a bucket, a status, the start of a period. */
function toEntryLines(metric: string, of: string, entry: unknown): Line[] {
  if (typeof entry !== 'object' || entry === null) return toLines(metric, of, entry)
  const [[, name] = [], ...rest] = Object.entries(entry)
  const about = [of, String(name)].filter((part) => part !== '').join(' ')
  return rest.flatMap(([key, inner]) => toLines(metric, about, inner, key))
}
