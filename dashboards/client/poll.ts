import { show } from './filters.ts'

/** How often a visible set-up page looks for new deliveries. */
const everyMs = 3_000

export function startPoll(): void {
  if (document.querySelector('[data-poll]') === null) return
  setInterval(() => {
    if (!document.hidden) void show(new URL(location.href), false, true)
  }, everyMs)
}
