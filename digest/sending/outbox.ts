/** Begins what is due, once: what is over is not looked at again. */
import type { Claim, DigestStore, SendKey } from '../digest-store.ts'
import { isOver, mayTry, sendOnce, toStanding, type SentOnce, type ToSend } from './send-once.ts'

export type Outbox = {
  /** Known to be over, without a look at the store. */
  isSettled(thing: SendKey): boolean
  /** Whether it may be sent now, by what was stored of it. */
  isOpen(thing: SendKey, claims: readonly Claim[]): boolean
  /** Whether it may be sent now, by the state of the store at this moment. */
  mayBegin(thing: SendKey): Promise<boolean>
  begin(thing: ToSend): Promise<SentOnce>
  /** Notes that nothing is sent, and why. `refused`: somebody has to do something about it. */
  end(
    thing: SendKey,
    why: { state: 'skipped' | 'refused'; address: string; coversUntilMs: number; detail: string },
  ): Promise<void>
}

export function createOutbox(store: DigestStore, clock: () => number): Outbox {
  const settled = new Set<string>()
  const toKey = ({ kind, recipient, period }: SendKey) => JSON.stringify([kind, recipient, period])

  function isOpen(thing: SendKey, claims: readonly Claim[]): boolean {
    const standing = toStanding(claims)
    if (isOver(standing, clock())) settled.add(toKey(thing))
    return standing.kind === 'open' && mayTry(standing, clock())
  }

  return {
    isSettled: (thing) => settled.has(toKey(thing)),
    isOpen,
    mayBegin: async (thing) => !settled.has(toKey(thing)) && isOpen(thing, await store.readClaims(thing)),
    async begin(thing) {
      const outcome = await sendOnce({ store, clock }, thing)
      if (outcome.state !== 'not_sent' && outcome.state !== 'withdrawn') settled.add(toKey(thing))
      return outcome
    },
    end: (thing, why) => store.writeStep({ ...thing, ...why, claim: 'skip', step: 2, atMs: clock(), messageId: '' }),
  }
}
