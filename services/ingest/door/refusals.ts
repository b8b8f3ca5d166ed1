/**
 * The last refused requests that were not kept, for the owner who wonders why nothing arrives. Never a payload, never an
 * address. In memory only.
 */
import type { Answer } from './answer.ts'

export type Refusal = {
  /** Epoch ms. */
  at: number
  /** Token name; '' where it was refused before the name was known. */
  source: string
  status: number
  /** The answer to the sender, in words. */
  message: string
}

export type Refusals = ReturnType<typeof createRefusals>

const remembered = 20

export function createRefusals(now: () => number) {
  const noted: { at: number; source: string; answer: Answer }[] = []
  return {
    note(source: string, answer: Answer): void {
      if (answer.outcome === 'accepted' || answer.outcome === 'failed') return
      // Somebody who tries many addresses must not push out the owner's refusals: of those, the last is enough.
      const previous =
        answer.outcome === 'unknown_token' ? noted.findIndex((each) => each.answer === answer) : -1
      if (previous !== -1) noted.splice(previous, 1)
      noted.push({ at: now(), source, answer })
      if (noted.length > remembered) noted.shift()
    },
    /** Newest first. */
    recent(): Refusal[] {
      return noted
        .map(({ at, source, answer }) => ({ at, source, status: answer.status, message: toMessage(answer) }))
        .toReversed()
    },
  }
}

function toMessage({ body, outcome }: Answer): string {
  if (outcome === 'unknown_token') return 'The address was not one of ours. Is it complete, with its token?'
  return (JSON.parse(body) as { message: string }).message
}
