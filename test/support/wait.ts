/**
 * How tests wait: for a state that can be observed, never for a while. How long that takes is the machine's business, so
 * there is one limit, far beyond what any wait needs; all it does is turn a hang into a message.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export const giveUpAfterMs = 180_000

const firstPauseMs = 2
const longestPauseMs = 100

export type UntilOptions = {
  /** More for the message: the output of a process, for example. */
  describe?: () => string
  /** Only where the network is waited for. */
  giveUpAfterMs?: number
}

/** Asks until the answer fits (default: until it is truthy) and returns it. Gives up with the last answer in the message. */
export async function until<T>(
  ask: () => T | Promise<T>,
  fits: (answer: T) => boolean = Boolean,
  options: UntilOptions = {},
): Promise<T> {
  const limitMs = options.giveUpAfterMs ?? giveUpAfterMs
  const deadline = performance.now() + limitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const askedAt = performance.now()
    const answer = await ask()
    if (fits(answer)) return answer
    if (performance.now() > deadline) {
      const wanted = fits === Boolean ? ask : fits
      throw new Error(
        `Not within ${limitMs} ms: ${wanted.toString()}\nLast answer: ${show(answer)}\n${options.describe?.() ?? ''}`,
      )
    }
    // What is asked shall not be kept from its work by being asked.
    await sleep(Math.max(pauseMs, 2 * (performance.now() - askedAt)))
  }
}

function show(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? String(answer))
  return text.length > 4_000 ? `${text.slice(0, 2_000)} ... ${text.slice(-2_000)}` : text
}
