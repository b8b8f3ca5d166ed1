/** Proves the whole way from the public URL into the store: sends a test event and looks for it until it is stored. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { readStatements, selectRows } from '../clickhouse/statements.ts'

/** A marked event of a type that no metric reads, sent to the ingest URL as the platform would send it. */

const testEventType = 'rollcall.test'

export type TestEventResult =
  | { outcome: 'accepted'; receipt: string }
  | { outcome: 'refused'; status: number; body: string }
  | { outcome: 'unreachable'; reason: string }

export async function sendTestEvent(ingestUrl: string, now: number): Promise<TestEventResult> {
  try {
    const response = await fetch(ingestUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // The marker makes every test a different event: one that was stored before proves nothing.
      body: JSON.stringify({ eventType: testEventType, timestamp: now, marker: randomUUID() }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    const body = (await response.text()).slice(0, 500)
    if (!response.ok) return { outcome: 'refused', status: response.status, body }
    return { outcome: 'accepted', receipt: receiptOf(body) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
    return {
      outcome: 'unreachable',
      reason: cause || (error instanceof Error ? error.message : String(error)),
    }
  }
}

function receiptOf(body: string): string {
  try {
    const answer: unknown = JSON.parse(body)
    if (typeof answer === 'object' && answer !== null && 'receipt' in answer) return String(answer.receipt)
  } catch {
    // Accepted, but not quite as our ingest would answer.
  }
  return ''
}

export type DeliveryCheck =
  | { outcome: 'stored'; receipt: string; tookMs: number }
  /** Acknowledged, but not seen stored in time: the consumer lags, or another installation received it. */
  | { outcome: 'not_seen'; receipt: string; waitedMs: number }
  | { outcome: 'refused'; status: number; body: string }
  | { outcome: 'unreachable'; reason: string }

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
  for (;;) {
    if (await isStored(sent.receipt)) {
      return { outcome: 'stored', receipt: sent.receipt, tookMs: Date.now() - startedAt }
    }
    const waitedMs = Date.now() - startedAt
    if (waitedMs >= timeoutMs) return { outcome: 'not_seen', receipt: sent.receipt, waitedMs }
    await sleep(pauseMs)
  }
}

/** Whether a test event is in the store, by its receipt. */
export function createStoredCheck(client: ClickHouseClient): (receipt: string) => Promise<boolean> {
  const query = sql('stored-event')
  return async (receipt) => {
    if (!/^[0-9a-f]{32}$/.test(receipt)) return false
    const event_id = receipt.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    return (await selectRows(client, query, { event_id })).length > 0
  }
}

const sql = readStatements(import.meta.dirname)
