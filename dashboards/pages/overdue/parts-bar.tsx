/** A bar of parts of a whole in a table cell, like `Bar`: `share` of each part is 0..1 of the track. */
export function PartsBar({ parts }: { parts: readonly { share: number; series: string }[] }) {
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { share }) => sum + share, 0))
  const round = (share: number) => Math.round(share * 1000) / 10
  return (
    <svg class="bar parts" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="bar-track" width="100" height="1" />
      {parts.map(({ share, series }, index) =>
        share > 0 ? (
          <rect class={`bar-part ${series}`} x={round(starts[index] ?? 0)} width={round(share)} height="1" />
        ) : null,
      )}
    </svg>
  )
}
