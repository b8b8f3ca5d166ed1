/**
 * How tests wait: for a state that can be observed, never for a while. How long that takes is the machine's business, so
 * a wait goes on as long as the answers change; its limits only turn a hang into a message.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** Without another answer. */
export const giveUpAfterMs = 180_000
/** The limit for answers that never stop changing. Sooner than a test ends by itself. */
const longestMs = 540_000

const firstPauseMs = 2
const longestPauseMs = 100

export type UntilOptions = {
  /** More for the message: the output of a process, for example. */
  describe?: () => string
  /** Only where the network is waited for. */
  giveUpAfterMs?: number
}

/**
 * Asks until the answer fits (default: until it is truthy) and returns it. Gives up with the last answer in the message, once no
 * other has come for `giveUpAfterMs`: an answer that counts is better than a boolean.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  fits: (answer: T) => boolean = Boolean,
  options: UntilOptions = {},
): Promise<T> {
  const limitMs = options.giveUpAfterMs ?? giveUpAfterMs
  const startedAt = performance.now()
  let changedAt = startedAt
  let last: string | undefined
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const askedAt = performance.now()
    const answer = await ask()
    if (fits(answer)) return answer
    const now = performance.now()
    const shown = show(answer)
    if (shown !== last) [last, changedAt] = [shown, now]
    if (now - changedAt > limitMs || now - startedAt > longestMs) {
      const wanted = fits === Boolean ? ask : fits
      throw new Error(
        `Not within ${Math.round(now - startedAt)} ms: ${wanted.toString()}\nLast answer: ${shown}\n${options.describe?.() ?? ''}`,
      )
    }
    // The product shall not be kept from its work by our questions.
    const askedMs = performance.now() - askedAt
    await sleep(Math.max(pauseMs, 4 * askedMs, Math.min(8 * askedMs, 500)))
  }
}

function show(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? String(answer))
  return text.length > 4_000 ? `${text.slice(0, 2_000)} ... ${text.slice(-2_000)}` : text
}
