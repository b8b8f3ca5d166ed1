/** A line without axes beside a number, from zero; the sentence beside it says what it shows. */
export function sparklinePath(values: readonly (number | null)[], height: number): string {
  const highest = Math.max(...values.map((value) => value ?? 0), 1e-9)
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

export function Sparkline({
  values,
  series,
}: {
  values: readonly (number | null)[]
  series: 'completed' | 'overdue' | 'neutral'
}) {
  if (values.filter((value) => value !== null).length < 2) return null
  return (
    <svg
      class={`sparkline ${series}`}
      viewBox="0 0 100 28"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {values.includes(null) ? null : <path class="under" d={`${sparklinePath(values, 28)}L100 28L0 28Z`} />}
      <path class="line" d={sparklinePath(values, 28)} />
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
