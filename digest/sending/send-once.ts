/**
 * Sends a thing at most once, over crashes and among processes. The intent is stored before the server is asked, and who
 * finds an intent of somebody else withdraws. So of two processes at most one sends; if both withdraw, a later try sends.
 * An intent without an outcome is never tried again: the mail may have gone.
 */
import { hash, randomUUID } from 'node:crypto'
import type { Claim, DigestStore, SendDetails, SendKey, SendState } from '../digest-store.ts'
import type { MailOutcome } from './mailer.ts'

/** The state of a thing after all attempts at it. */
export type Standing =
  | { kind: 'done' }
  /** Somebody has begun, and has not said how it ended. After `unknownAfterMs` nobody will. */
  | { kind: 'begun'; atMs: number }
  /** `tries`: how often it could not be sent. */
  | { kind: 'open'; tries: number; lastAtMs: number }

const ends: readonly SendState[] = ['sent', 'skipped', 'refused', 'unknown']

/** An attempt ends sooner than this, or its process has died. */
export const unknownAfterMs = 15 * 60_000

export function toStanding(claims: readonly Claim[]): Standing {
  if (claims.some(({ last_state }) => ends.includes(last_state))) return { kind: 'done' }
  const begun = claims.find(({ last_state }) => last_state === 'intended')
  if (begun !== undefined) return { kind: 'begun', atMs: begun.at_ms }
  const failedAtMs = claims.filter(({ last_state }) => last_state === 'not_sent').map(({ at_ms }) => at_ms)
  return { kind: 'open', tries: failedAtMs.length, lastAtMs: Math.max(0, ...failedAtMs) }
}

/** Whether nobody will try it again. A send that another process has begun may still turn out not to have gone. */
export function isOver(standing: Standing, nowMs: number): boolean {
  return standing.kind === 'done' || (standing.kind === 'begun' && nowMs - standing.atMs > unknownAfterMs)
}

const firstPauseMs = 60_000
const longestPauseMs = 3_600_000

/** Whether it may be tried now: less and less often after failures. */
export function mayTry({ tries, lastAtMs }: { tries: number; lastAtMs: number }, nowMs: number): boolean {
  if (tries === 0) return true
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(10, tries - 1))
  return nowMs - lastAtMs >= pauseMs
}

export type ToSend = SendKey &
  SendDetails & {
    send: () => Promise<MailOutcome>
  }

export type SentOnce = MailOutcome | { state: 'withdrawn'; detail: string }

export async function sendOnce(
  { store, clock }: { store: Pick<DigestStore, 'writeStep' | 'readClaims'>; clock: () => number },
  thing: ToSend,
): Promise<SentOnce> {
  const { send, ...row } = thing
  const claim = randomUUID()
  const write = (step: 1 | 2, state: SendState, detail: string) =>
    store.writeStep({ ...row, claim, step, atMs: clock(), state, detail })
  await write(1, 'intended', '')
  const rivals = (await store.readClaims(thing)).filter((each) => each.claim !== claim)
  if (toStanding(rivals).kind !== 'open') {
    const detail = 'Another process does it.'
    await write(2, 'withdrawn', detail)
    return { state: 'withdrawn', detail }
  }
  const outcome = await send()
  await write(2, outcome.state, outcome.detail)
  return outcome
}

/** The same for every try: a mail server or a mailbox that gets it twice can tell. */
export function toMessageId({ kind, recipient, period }: SendKey, host: string): string {
  return `<${hash('sha256', JSON.stringify([kind, recipient, period]), 'hex').slice(0, 40)}@${host}>`
}
