/** Reads now and then how complete the numbers are, and whether a silence is usual, for what every page says of it. */
import type { Context, MiddlewareHandler } from 'hono'
import type { Standing } from '../../reporting/queries/standing.ts'
import type { Silence } from '../../schemas/silence.ts'

export type Situation = { standing: Standing | null; silence: Silence | null }

const key = 'rollcall-situation'
const standingKeptMs = 2_000
/** It costs a pass over a column of all events. */
const silenceKeptMs = 60_000

/** A page never fails for it: without an answer it says nothing, and the page's own question says what is wrong. */
export function situationFirst(
  read: { standing: () => Promise<Standing>; silence: () => Promise<Silence> },
  onError: (error: unknown) => void,
): MiddlewareHandler {
  const standing = createKept(read.standing, standingKeptMs, onError)
  const silence = createKept(read.silence, silenceKeptMs, onError)
  return async (c, next) => {
    c.set(key, { standing: await standing(), silence: await silence() } satisfies Situation)
    await next()
  }
}

export function situationOf(c: Context): Situation {
  return (c.get(key) as Situation | undefined) ?? { standing: null, silence: null }
}

function createKept<Answer>(read: () => Promise<Answer>, keptMs: number, onError: (error: unknown) => void) {
  let kept: { at: number; answer: Promise<Answer | null> } | undefined
  return () => {
    const now = performance.now()
    if (kept === undefined || now - kept.at >= keptMs) {
      const answer = read().catch((error: unknown) => {
        onError(error)
        return null
      })
      kept = { at: now, answer }
    }
    return kept.answer
  }
}
