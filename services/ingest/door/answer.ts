/** Ingest's answers, before they are written to a connection. */
import type { Problem } from '../../../schemas/webhook/parse-delivery.ts'

/** Every outcome of a request to a webhook address; the label of `rollcall_ingest_requests_total`. */
export const outcomes = [
  'accepted',
  'failed',
  'unknown_token',
  'wrong_method',
  'wrong_media_type',
  'too_large',
  'wrong_network',
  'wrong_signature',
  'rate_limited',
  'unavailable',
  'stopping',
  'aborted',
  'error',
] as const
export type Outcome = (typeof outcomes)[number]

export type Answer = {
  outcome: Outcome
  status: number
  body: string
  /** In addition to the headers of every answer: name, value, name, value ... */
  headers: readonly string[]
}

/**
 * On every answer. The request's address is a secret: nothing may store it, and no page made from the answer may pass it
 * on.
 */
export const commonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

export function accepted(eventId: string): Answer {
  return {
    outcome: 'accepted',
    status: 200,
    body: `{"receipt":"${eventId}","status":"accepted"}`,
    headers: [],
  }
}

/** Kept in the log and shown as a failed event; the sender gets every problem. */
export function failed(eventId: string, problems: readonly Problem[]): Answer {
  const status = problems.some(({ reason }) => reason === 'not_json') ? 400 : 422
  const body = JSON.stringify({ receipt: eventId, status: 'failed', problems })
  return { outcome: 'failed', status, body, headers: [] }
}

export function refused(
  outcome: Exclude<Outcome, 'accepted' | 'failed'>,
  status: number,
  message: string,
  headers: readonly string[] = [],
): Answer {
  return { outcome, status, body: JSON.stringify({ error: outcome, message }), headers }
}

/** The same answer for every address that does not exist, for any reason. */
export const notFound = refused('unknown_token', 404, 'There is nothing at this address.')

export function unavailable(
  outcome: 'unavailable' | 'stopping' | 'rate_limited',
  message: string,
  retryAfterMs: number,
): Answer {
  const seconds = String(Math.max(1, Math.ceil(retryAfterMs / 1_000)))
  return refused(outcome, outcome === 'rate_limited' ? 429 : 503, message, ['retry-after', seconds])
}

export const broken = refused('error', 500, 'Something went wrong here. Nothing was stored.')
