/** A marked event of a type that no metric reads, sent to the ingest URL as the platform would send it. */
import { randomUUID } from 'node:crypto'

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
    return { outcome: 'unreachable', reason: cause || (error instanceof Error ? error.message : String(error)) }
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
