import type { TestEventResult } from './setup.ts'

/** POSTs a marked event, of a type that no metric reads, to the ingest URL, just as the platform would. */
export async function sendTestEvent(ingestUrl: string, now: number): Promise<TestEventResult> {
  try {
    const response = await fetch(ingestUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eventType: 'rollcall.test', timestamp: now }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    const body = (await response.text()).slice(0, 500)
    if (!response.ok) return { kind: 'refused', status: response.status, body }
    return { kind: 'accepted', receipt: receiptOf(body) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
    return { kind: 'unreachable', reason: cause || (error instanceof Error ? error.message : String(error)) }
  }
}

function receiptOf(body: string): string {
  try {
    const answer: unknown = JSON.parse(body)
    if (typeof answer === 'object' && answer !== null && 'receipt' in answer) return String(answer.receipt)
  } catch {
    // Accepted all the same; whoever answered is not quite an ingest service of ours.
  }
  return ''
}
