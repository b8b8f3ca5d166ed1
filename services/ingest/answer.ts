/** What ingest answers, before it is written to a connection. */
import type { Problem } from '../../schemas/webhook/parse-delivery.ts'

/** Every way a request to a webhook address can end; the label of `rollcall_ingest_requests_total`. */
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
  /** Beside those that every answer has: name, value, name, value ... */
  headers: readonly string[]
}

/**
 * On every answer. The address of the request is a secret: nothing may keep it, and no page that a browser makes of it
 * may tell it to another.
 */
export const commonHeaders: readonly string[] = [
  ['content-type', 'application/json; charset=utf-8'],
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
].flat()

export function accepted(eventId: string): Answer {
  return { outcome: 'accepted', status: 200, body: `{"receipt":"${eventId}","status":"accepted"}`, headers: [] }
}

/** Kept in the log, and shown to the owner as a failed event; the sender learns everything that is wrong with it. */
export function failed(eventId: string, problems: readonly Problem[]): Answer {
  const status = problems.some(({ reason }) => reason === 'not_json') ? 400 : 422
  return {
    outcome: 'failed',
    status,
    body: JSON.stringify({ receipt: eventId, status: 'failed', problems }),
    headers: [],
  }
}

export function refused(
  outcome: Exclude<Outcome, 'accepted' | 'failed'>,
  status: number,
  message: string,
  headers: readonly string[] = [],
): Answer {
  return { outcome, status, body: JSON.stringify({ error: outcome, message }), headers }
}

/** One answer for every address that is not there, however it is wrong. */
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
