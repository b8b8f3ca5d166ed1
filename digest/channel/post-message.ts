/** Posts a message to a team channel. */
import type { MailOutcome } from '../sending/mailer.ts'
import { channelKindOf, toPayload, type ChannelMessage } from './message.ts'

/** Answers are not awaited longer. */
const timeoutMs = 20_000

/** Never rejects. The address is a secret: no outcome quotes it. */
export async function postMessage(url: string, message: ChannelMessage): Promise<MailOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(toPayload(channelKindOf(url), message)),
      // A secret address must not be led elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    const detail = `The channel answered ${response.status}.`
    if (response.ok) return { state: 'sent', detail }
    const mayPass = response.status === 429 || response.status >= 500
    return mayPass ? { state: 'not_sent', detail, isAway: true } : { state: 'refused', detail }
  } catch (error) {
    return isUnconnected(error)
      ? { state: 'not_sent', detail: 'The channel could not be reached.', isAway: true }
      : { state: 'unknown', detail: 'The connection to the channel broke before it answered.' }
  }
}

/** Nothing was sent: there was no connection. */
function isUnconnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const codes = [cause, ...(cause instanceof AggregateError ? (cause.errors as unknown[]) : [])].map(
    (each) => (each as { code?: unknown } | undefined)?.code,
  )
  return codes.some((code) =>
    ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(
      String(code),
    ),
  )
}
