/** What all tasks that send share. */
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Once, OnceResult, Prepared } from '../../services/records/once.ts'
import type { Claim } from '../../services/records/records.ts'
import type { WatchDeps } from '../content/alerts.ts'
import { toSendKey, type DigestStore, type SendAttempt, type SendKind } from '../digest-store.ts'
import type { DigestDefaults, Members } from '../members.ts'
import type { Compose } from './compose.ts'
import type { Mailer } from './mailer.ts'

export type SendDeps = {
  store: DigestStore
  once: Once<SendAttempt>
  members: Members
  compose: Compose
  watch: WatchDeps
  defaults: DigestDefaults
  site: string
  /** Undefined: no mail is sent. */
  mailer?: Mailer
  channel?: { url: string; names: boolean }
  alertChannelUrl?: string
  clock: () => number
  onError: (error: unknown) => void
}

export type SendKey = { kind: SendKind; recipient: string; thing: string }

export const channelRecipient = 'channel'

export type Prepare = (attempts: readonly Claim<SendAttempt>[]) => Promise<Prepared<SendAttempt>>

export const sendOnce = (
  { once }: Pick<SendDeps, 'once'>,
  key: SendKey,
  prepare: Prepare,
  isRival?: (attempt: Claim<SendAttempt>) => boolean,
): Promise<OnceResult> => once.once(toSendKey(key.kind, key.recipient), key, prepare, isRival)

/** The same for every try: a mail server or a mailbox that gets it twice can tell. */
export function toMessageId({ kind, recipient, thing }: SendKey, site: string): string {
  const id = hash('sha256', JSON.stringify([kind, recipient, thing]), 'hex').slice(0, 40)
  return `<${id}@${new URL(site).hostname}>`
}

export function toUnsubscribeUrl(site: string, key: string, of: 'digest' | 'alerts' | 'reminders'): string {
  const query = new URLSearchParams({ key, ...(of !== 'digest' && { of }) })
  return `${site}/digest/unsubscribe?${query.toString()}`
}

/** After so many failures in a row the store is taken to be away. */
const mostFailures = 3
/** Rest after each, as a share of the time that it took: people wait for pages meanwhile. */
const restShare = 0.25

/** Sends one thing after another until the mail server, or the store, is away: the next pass tries again. */
export async function sendInTurn<Thing>(
  { onError }: Pick<SendDeps, 'onError'>,
  signal: AbortSignal,
  things: readonly Thing[],
  send: (thing: Thing) => Promise<OnceResult>,
): Promise<void> {
  let failures = 0
  for (const thing of things) {
    if (signal.aborted || failures === mostFailures) return
    const began = performance.now()
    try {
      const result = await send(thing)
      if (result?.state === 'not_sent' && result.isAway) return
      failures = 0
    } catch (error) {
      onError(error)
      failures++
    }
    const restMs = Math.min(2_000, (performance.now() - began) * restShare)
    await pause(restMs, undefined, { signal }).catch(() => undefined)
  }
}
