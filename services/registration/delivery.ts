/** Proves the whole way from the public URL into the store: sends a test event and looks for it until it is stored. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { readStatements, selectRows } from '../clickhouse/statements.ts'

type Undelivered =
  { outcome: 'refused'; status: number; body: string } | { outcome: 'unreachable'; reason: string }

export type TestEventResult = { outcome: 'accepted'; receipt: string } | Undelivered

export async function sendTestEvent(ingestUrl: string, now: number): Promise<TestEventResult> {
  try {
    const response = await fetch(ingestUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // No metric reads this type. The marker makes every test a different event.
      body: JSON.stringify({ eventType: 'rollcall.test', timestamp: now, marker: randomUUID() }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    const body = (await response.text()).slice(0, 500)
    if (!response.ok) return { outcome: 'refused', status: response.status, body }
    // Another program may accept it with another answer.
    return { outcome: 'accepted', receipt: /"receipt": ?"([0-9a-f]{32})"/.exec(body)?.[1] ?? '' }
  } catch (error) {
    const { message, cause } = error as Error
    return { outcome: 'unreachable', reason: (cause as Error | undefined)?.message || message }
  }
}

export type DeliveryCheck =
  | { outcome: 'stored'; receipt: string; tookMs: number }
  /** Acknowledged, but not seen stored in time: the consumer lags, or another installation received it. */
  | { outcome: 'not_seen'; receipt: string; waitedMs: number }
  | Undelivered

type DeliveryCheckOptions = {
  url: string
  isStored: (receipt: string) => Promise<boolean>
  /** How long to look for it. Default 30 s. */
  timeoutMs?: number
}

const pauseMs = 250

export async function checkDelivery(options: DeliveryCheckOptions): Promise<DeliveryCheck> {
  const { url, isStored, timeoutMs = 30_000 } = options
  const startedAt = Date.now()
  const sent = await sendTestEvent(url, startedAt)
  if (sent.outcome !== 'accepted') return sent
  const { receipt } = sent
  for (;;) {
    const tookMs = Date.now() - startedAt
    if (await isStored(receipt)) return { outcome: 'stored', receipt, tookMs }
    if (tookMs >= timeoutMs) return { outcome: 'not_seen', receipt, waitedMs: tookMs }
    await sleep(pauseMs)
  }
}

/** Whether a test event is in the store, by its receipt. */
export function createStoredCheck(client: ClickHouseClient): (receipt: string) => Promise<boolean> {
  const query = sql('stored-event')
  return async (receipt) => {
    if (receipt === '') return false
    const event_id = receipt.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    return (await selectRows(client, query, { event_id })).length > 0
  }
}

const sql = readStatements(import.meta.dirname)
