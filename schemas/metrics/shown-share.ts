/**
 * The end, 0 or 1, to which rounding would move a share that is not at it: `null` if there is none. As METRICS.md says under "Shown
 * shares". `step`: of the rounded values, such as 0.01.
 */
export function wrongEnd(share: number, step: number): 0 | 1 | null {
  if (share > 0 && share < step / 2) return 0
  // A share such as 199/200 may lie a few ulps beside the half step.
  return share < 1 && share > 1 - step / 2 - 1e-12 ? 1 : null
}
