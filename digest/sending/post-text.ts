/** Posts `{"text": ...}` to a team channel: Slack, Mattermost, Google Chat and others take it. */
import type { MailOutcome } from './mailer.ts'

/** Answers are not awaited longer. */
const timeoutMs = 20_000

/** Never rejects. The address is a secret: no outcome quotes it. */
export async function postText(url: string, text: string): Promise<MailOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ text }),
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
