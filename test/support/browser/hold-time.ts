import type { Page } from 'playwright-core'

const begin = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000

/**
 * In this window, time goes on by `page.clock.runFor` alone: what a page says for two seconds stays, and what it does every three seconds
 * does not begin by itself, however slow the machine is. To be called before the first page.
 */
export async function holdTime({ clock }: Page): Promise<void> {
  await clock.install({ time: begin })
  // Later than anything that the machine does between these two.
  await clock.pauseAt(begin + hourMs)
}
