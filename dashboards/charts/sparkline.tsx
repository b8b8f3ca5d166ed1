import { seriesColour } from './chart.ts'

/** A line without axes beside a number, from zero to its highest value or `least`; the sentence beside it says its meaning. */
export function sparklinePath(values: readonly (number | null)[], height: number, least = 0): string {
  const highest = Math.max(...values.map((value) => value ?? 0), least, 1e-9)
  const step = values.length < 2 ? 0 : 100 / (values.length - 1)
  let pen = 'M'
  let path = ''
  values.forEach((value, i) => {
    if (value === null) {
      pen = 'M'
      return
    }
    path += `${pen}${round(i * step)} ${round(height - 1 - (value / highest) * (height - 2))}`
    pen = 'L'
  })
  return path
}

export type SparklineProps = {
  values: readonly (number | null)[]
  series: 'completed' | 'overdue'
  /** A dashed line across. */
  target?: number | null
}

export function Sparkline({ values, series, target = null }: SparklineProps) {
  if (values.filter((value) => value !== null).length < 2) return null
  const path = sparklinePath(values, 28, target ?? 0)
  const highest = Math.max(...values.map((value) => value ?? 0))
  return (
    <svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {values.includes(null) ? null : <path class="under" d={`${path}L100 28L0 28Z`} fill={seriesColour[series]} />}
      <path class="line" d={path} stroke={seriesColour[series]} />
      {target === null ? null : <path class="target" d={sparklinePath([target, target], 28, highest)} />}
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
