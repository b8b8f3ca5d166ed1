/** Begins what is due, once: what is over is not looked at again. */
import type { Claim, DigestStore, SendKey } from '../digest-store.ts'
import { isOver, mayTry, sendOnce, toStanding, type SentOnce, type ToSend } from './send-once.ts'

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(store: DigestStore, clock: () => number) {
  const settled = new Set<string>()
  const toKey = ({ kind, recipient, period }: SendKey) => JSON.stringify([kind, recipient, period])

  /** Whether it may be sent now, by what was stored of it. */
  function isOpen(thing: SendKey, claims: readonly Claim[]): boolean {
    const standing = toStanding(claims)
    if (isOver(standing, clock())) settled.add(toKey(thing))
    return standing.kind === 'open' && mayTry(standing, clock())
  }

  return {
    /** Whether it is known to be over, without a look at the store. */
    isSettled: (thing: SendKey) => settled.has(toKey(thing)),
    isOpen,
    /** Whether it may be sent now, by the state of the store at this moment. */
    mayBegin: async (thing: SendKey) => !settled.has(toKey(thing)) && isOpen(thing, await store.readClaims(thing)),
    async begin(thing: ToSend): Promise<SentOnce> {
      const outcome = await sendOnce({ store, clock }, thing)
      if (outcome.state !== 'not_sent' && outcome.state !== 'withdrawn') settled.add(toKey(thing))
      return outcome
    },
    /** Notes that nothing is sent, and why. `refused`: somebody has to do something about it. */
    end: (
      thing: SendKey,
      why: { state: 'skipped' | 'refused'; address: string; coversUntilMs: number; detail: string },
    ) => store.writeStep({ ...thing, ...why, claim: 'skip', step: 2, atMs: clock(), messageId: '' }),
  }
}
