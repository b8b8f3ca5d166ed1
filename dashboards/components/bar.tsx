/**
 * A bar in a table cell. SVG instead of a styled box: it needs no inline style, and it prints. `share` and `mark` are
 * 0..1.
 */
export function Bar({ share, series, mark = null }: { share: number; series: string; mark?: number | null }) {
  return (
    <svg class={`bar ${series}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="bar-track" width="100" height="1" />
      {share > 0 ? <rect class="bar-fill" width={Math.round(Math.max(share, 0.004) * 1000) / 10} height="1" /> : null}
      {mark === null ? null : <rect class="bar-mark" x={Math.round(mark * 1000) / 10} width="0.6" height="1" />}
    </svg>
  )
}
