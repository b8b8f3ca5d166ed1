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
    const codes = toCodes(error)
    // Ended in the handshake: the message was never sent.
    if (codes.some((code) => /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)))
      return { state: 'not_sent', detail: 'The certificate of the channel is not trusted.', isAway: true }
    return codes.some((code) => unconnected.has(code))
      ? { state: 'not_sent', detail: 'The channel could not be reached.', isAway: true }
      : { state: 'unknown', detail: 'The connection to the channel broke before it answered.' }
  }
}

/** Nothing was sent: there was no connection. */
const unconnected = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
)

function toCodes(error: unknown): string[] {
  const cause = error instanceof Error ? error.cause : undefined
  return [cause, ...(cause instanceof AggregateError ? (cause.errors as unknown[]) : [])].map((each) =>
    String((each as { code?: unknown } | undefined)?.code),
  )
}
