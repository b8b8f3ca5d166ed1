/** What all tasks that send share. */
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Once, OnceResult } from '../../services/records/once.ts'
import type { WatchDeps } from '../content/alerts.ts'
import { toSendKey, type DigestStore, type SendAttempt, type SendKind } from '../digest-store.ts'
import type { DigestDefaults, Members } from '../members.ts'
import type { Composer } from './compose.ts'
import type { Mailer } from './mailer.ts'

export type SendDeps = {
  store: DigestStore
  once: Once<SendAttempt>
  members: Members
  composer: Composer
  watch: WatchDeps
  defaults: DigestDefaults
  site: string
  /** Missing: no mail is sent. */
  mailer?: Mailer
  channel?: { url: string; names: boolean }
  alertChannelUrl?: string
  clock: () => number
  onError: (error: unknown) => void
  /** Rest after each, as a share of the time that it took, for the pages that people wait for. Default 0.25. */
  rest?: number
}

export type SendKey = { kind: SendKind; recipient: string; thing: string }

export const channelRecipient = 'channel'

/** The arguments of `once`. */
export const toAttempt = (key: SendKey) => [toSendKey(key.kind, key.recipient), key] as const

/** The same for every try: a mail server or a mailbox that gets it twice can tell. */
export function toMessageId({ kind, recipient, thing }: SendKey, site: string): string {
  const id = hash('sha256', JSON.stringify([kind, recipient, thing]), 'hex').slice(0, 40)
  return `<${id}@${new URL(site).hostname}>`
}

export async function toUnsubscribeUrl(
  { members, site }: Pick<SendDeps, 'members' | 'site'>,
  login: string,
  of: 'digest' | 'alerts',
): Promise<string> {
  const query = new URLSearchParams({ key: await members.keyOf(login), ...(of === 'alerts' && { of }) })
  return `${site}/digest/unsubscribe?${query.toString()}`
}

type TurnOptions = Pick<SendDeps, 'onError' | 'rest'> & {
  signal: AbortSignal
  /** After so many failures in a row the store is taken to be away. */
  mostFailures: number
}

/** Sends one thing after another until the mail server, or the store, is away: the next pass tries again. */
export async function inTurn<Thing>(
  things: readonly Thing[],
  send: (thing: Thing) => Promise<OnceResult>,
  { signal, onError, mostFailures, rest = 0.25 }: TurnOptions,
): Promise<void> {
  let failures = 0
  for (const thing of things) {
    if (signal.aborted) return
    const began = performance.now()
    try {
      const result = await send(thing)
      if (result?.state === 'not_sent' && result.isAway) return
      failures = 0
    } catch (error) {
      onError(error)
      if (++failures === mostFailures) return
    }
    const restMs = Math.min(2_000, (performance.now() - began) * rest)
    await pause(restMs, undefined, { signal }).catch(() => undefined)
  }
}
