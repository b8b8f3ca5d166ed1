/** The colour of a series or of an age, as the style sheet names it. An attribute: there are no inline styles. */
export function colourOf(series: string): string {
  return `var(--${series.startsWith('age-') ? series : `series-${series}`})`
}

/**
 * A bar in a table cell. SVG instead of a styled box: it needs no inline style, and it prints. `share` and `mark` are
 * 0..1.
 */
export type BarProps = { share: number; series: string; mark?: number | null }

export function Bar({ share, series, mark = null }: BarProps) {
  const width = Math.round(Math.max(share, 0.004) * 1000) / 10
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="bar-track" width="100" height="1" />
      {share > 0 ? <rect class="bar-fill" width={width} height="1" fill={colourOf(series)} /> : null}
      {mark === null ? null : (
        <rect class="bar-mark" x={Math.round(mark * 1000) / 10} width="0.6" height="1" />
      )}
    </svg>
  )
}
