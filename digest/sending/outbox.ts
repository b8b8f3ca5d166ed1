/** Begins each due thing once: one that is over is not looked at again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Claim, DigestStore, SendDetails, SendKey } from '../digest-store.ts'
import type { Composer } from './compose.ts'
import type { WatchDeps } from '../content/alerts.ts'
import type { DigestDefaults, Members } from '../members.ts'
import type { Mailer } from './mailer.ts'
import { isOver, mayTry, sendOnce, toStanding, type SentOnce, type ToSend } from './send-once.ts'

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(store: DigestStore, clock: () => number) {
  const settled = new Set<string>()
  const toKey = ({ kind, recipient, period }: SendKey) => JSON.stringify([kind, recipient, period])

  /** Whether it may be sent now, by its stored rows. */
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
    mayBegin: async (thing: SendKey) =>
      !settled.has(toKey(thing)) && isOpen(thing, await store.readClaims(thing)),
    async begin(thing: ToSend): Promise<SentOnce> {
      const outcome = await sendOnce({ store, clock }, thing)
      if (outcome.state !== 'not_sent' && outcome.state !== 'withdrawn') settled.add(toKey(thing))
      return outcome
    },
    /** Notes that nothing is sent, and why. `refused`: somebody has to do something about it. */
    end: (thing: SendKey, why: SendDetails & { state: 'skipped' | 'refused'; detail: string }) =>
      store.writeStep({ ...thing, ...why, claim: 'skip', step: 2, atMs: clock() }),
  }
}

export type TurnOptions = {
  signal?: AbortSignal | undefined
  onError: (error: unknown) => void
  /** After so many failures in a row the store is taken to be away. */
  mostFailures: number
  /** Rest after each, as a share of the time that it took, for the pages that people wait for. Default 0.25. */
  rest?: number
}

export type DigesterDeps = Pick<TurnOptions, 'onError' | 'rest'> & {
  store: DigestStore
  members: Members
  composer: Composer
  watch: WatchDeps
  defaults: DigestDefaults
  site: string
  /** Left out: no mail is sent. */
  mailer?: Mailer
  channel?: { url: string; names: boolean }
  alertChannelUrl?: string
  /** One pass over reminders. Left out: none are sent. */
  sendReminders?: (signal?: AbortSignal) => Promise<void>
  clock: () => number
}

/** Sends one thing after another until the mail server, or the store, is away: the next pass tries again. */
export async function inTurn<Thing>(
  things: readonly Thing[],
  send: (thing: Thing) => Promise<SentOnce | undefined>,
  { signal, onError, mostFailures, rest = 0.25 }: TurnOptions,
): Promise<void> {
  let failures = 0
  for (const thing of things) {
    if (signal?.aborted === true) return
    const began = performance.now()
    try {
      const outcome = await send(thing)
      if (outcome?.state === 'not_sent' && outcome.isAway) return
      failures = 0
    } catch (error) {
      onError(error)
      if (++failures === mostFailures) return
    }
    await pause(Math.min(2_000, (performance.now() - began) * rest), undefined, { signal }).catch(
      () => undefined,
    )
  }
}
