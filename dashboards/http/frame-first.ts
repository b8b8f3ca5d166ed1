/** Reads the parts of the frame of every page, whatever the page is about. */
import type { Context, MiddlewareHandler } from 'hono'
import { hold } from '../../services/runtime/hold.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import type { RouteContext } from '../dashboards-deps.ts'
import type { OutcomeProps, PageContext } from '../page-context.ts'

type Frame = Pick<
  PageContext,
  'standing' | 'silence' | 'isReading' | 'views' | 'sees' | 'targets' | 'notes' | 'outcome'
>

const key = 'rollcall-frame'
const standingKeptMs = 2_000
/** It costs a pass over a column of all events. */
const silenceKeptMs = 60_000

/** A page never fails for it: without an answer it does not show it. */
export function frameFirst({ arrival, entrance, seenIds, flash, onError }: RouteContext): MiddlewareHandler {
  const standing = hold(arrival.standing, () => performance.now(), standingKeptMs)
  const silence = hold(arrival.silence, () => performance.now(), silenceKeptMs)
  const orNone = <Value>(value: Promise<Value> | undefined) =>
    value?.catch((error: unknown) => {
      onError(error)
      return undefined
    })

  return async (c, next) => {
    const { login, via, role } = currentVisitor()
    const hasRole = role !== null
    const [isComplete, isSilent, views, targets, notes, ids, outcome] = await Promise.all([
      orNone(standing.read()),
      orNone(silence.read()),
      orNone(hasRole && via !== 'token' ? entrance?.views.readFor(login) : undefined),
      orNone(entrance?.targets.read()),
      orNone(hasRole ? entrance?.notes.read() : undefined),
      orNone(seenIds()),
      orNone(c.req.method === 'GET' ? flash.takeOutcome(c) : undefined),
    ])
    const frame: Frame = {
      standing: isComplete ?? null,
      silence: isSilent ?? null,
      isReading: arrival.held().isReading,
      ...(views && { views }),
      ...(targets && { targets }),
      ...(notes && { notes }),
      ...(ids && { sees: ids.length }),
      ...(outcome && { outcome }),
    }
    c.set(key, frame)
    await next()
  }
}

export function frameOf(c: Context): Frame {
  return (c.get(key) as Frame | undefined) ?? { standing: null, silence: null }
}

/** What a form did that this page answers. */
export function setOutcome(c: Context, outcome: OutcomeProps): void {
  c.set(key, { ...frameOf(c), outcome } satisfies Frame)
}
