/** Carries out orders of guides: woken when one is placed in this process, and periodically for those placed elsewhere. */
import type { Task } from '../runtime/runner.ts'
import type { GuideOrderRunner } from './runner.ts'

export function toOrdersTask(runner: GuideOrderRunner, everyMs = 10_000): Task {
  const run = async (signal: AbortSignal) => ((await runner.run(signal)).rest > 0 ? 'later' : undefined)
  return { name: 'guide-orders', everyMs, run }
}
