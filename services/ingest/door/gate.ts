/**
 * Decides about a request before its body is read: which token it has, and whether its body is wanted. The token comes
 * first, so that without one nothing can be learned about this address.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SignatureScheme, SignatureSecret } from '../../config/signature-secret.ts'
import { hashToken, type IngestToken } from '../../config/token.ts'
import type { AllowList } from '../../runtime/http/allow-list.ts'
import { type Answer, refused, unavailable } from './answer.ts'
import { createRateLimiter } from './rate-limit.ts'

/** `secrets`: any of them signs a delivery; without any, no signature is needed. */
export type Sender = { source: string; secrets: readonly SignatureSecret[] }

export type Gate = ReturnType<typeof createGate>

type GateOptions = {
  tokens: readonly IngestToken[]
  signatureSecrets: readonly SignatureSecret[]
  maxBodyBytes: number
  rateLimitPerSecond: number
  isAllowed?: AllowList | undefined
  now: () => number
}

type KnownToken = { sha256: Uint8Array; sender: Sender }

const wrongMethod = refused('wrong_method', 405, 'Send the event by POST.', ['allow', 'GET, HEAD, POST'])
const wrongNetwork = refused('wrong_network', 403, 'This address may not send events here.')
const wrongMediaType = refused(
  'wrong_media_type',
  415,
  'The content type must be application/json, in UTF-8.',
)
const wrongEncoding = refused(
  'wrong_media_type',
  415,
  'Send the body as it is, without a content encoding.',
  ['accept-encoding', 'identity'],
)
const stopped = unavailable('stopping', 'This server is stopping. Send the event again.', 5_000)
/** Closes the connection too: the next delivery should reach another server instead of waiting here. */
const stopping: Answer = { ...stopped, headers: [...stopped.headers, 'connection', 'close'] }

export function tooLarge(maxBodyBytes: number): Answer {
  return refused('too_large', 413, `The body is larger than ${maxBodyBytes} bytes.`)
}

export function createGate(options: GateOptions) {
  let tokens: KnownToken[] = options.tokens.map(toKnown)
  const rateLimiter = createRateLimiter(options.rateLimitPerSecond)
  const overSize = tooLarge(options.maxBodyBytes)
  let isStopping = false

  function toKnown({ source, sha256 }: IngestToken): KnownToken {
    const secrets = options.signatureSecrets.filter((secret) => secret.source === source)
    return { sha256, sender: { source, secrets } }
  }

  return {
    /** Whose token this is, as presented, in any form. */
    findSender(presented: string): Sender | undefined {
      const sha256 = hashToken(presented)
      let match: Sender | undefined
      // Compares all, also after a match, and a malformed token like any other: the time reveals nothing.
      for (const token of tokens) if (timingSafeEqual(sha256, token.sha256)) match = token.sender
      return match
    },
    /** Why a request with a good token is refused; `undefined`: it is not. */
    findRefusal(
      { source }: Sender,
      method: string,
      headers: IncomingHttpHeaders,
      remoteAddress: string | undefined,
    ): Answer | undefined {
      if (options.isAllowed?.(remoteAddress, headers) === false) return wrongNetwork
      if (method !== 'POST') return wrongMethod
      if (isStopping) return stopping
      const waitMs = rateLimiter.take(source, options.now())
      if (waitMs > 0)
        return unavailable('rate_limited', 'Too many deliveries by this source. Send it again later.', waitMs)
      if (readMediaType(headers['content-type']) === undefined) return wrongMediaType
      const encoding = headers['content-encoding']
      if (encoding !== undefined && encoding !== 'identity') return wrongEncoding
      if (Number(headers['content-length']) > options.maxBodyBytes) return overSize
      return undefined
    },
    setTokens: (newTokens: readonly IngestToken[]) => void (tokens = newTokens.map(toKnown)),
    /** From now on every delivery is refused with 503. */
    stop: () => void (isStopping = true),
  }
}

/**
 * JSON is application/json or any +json; other charsets than UTF-8 cannot be read correctly. `odd`: JSON is plainly meant,
 * and the platform does not send again what is refused.
 */
function readMediaType(contentType = ''): 'json' | 'odd' | undefined {
  if (contentType === 'application/json') return 'json'
  const types = contentType.split(',').map((type) => type.trim())
  let isOdd = types.length > 1
  for (const type of types) {
    if (type === '') {
      isOdd = true
      continue
    }
    const match = /^(application|text)\/(?:json|[\w.-]+\+json)\s*(;.*)?$/i.exec(type)
    if (match === null) return undefined
    const [, quote, charset] = /;\s*charset\s*=\s*(["']?)([^"';\s]+)/i.exec(match[2] ?? '') ?? []
    if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) return undefined
    isOdd ||= match[1]?.toLowerCase() === 'text' || quote === "'"
  }
  return isOdd ? 'odd' : 'json'
}

/** What an admitted request says otherwise than specified: names with a space between them. Empty: nothing. */
export function findOddRequest(path: string, { headers }: { headers: IncomingHttpHeaders }): string {
  const names = []
  if (path.endsWith('/')) names.push('(address)')
  if (readMediaType(headers['content-type']) === 'odd') names.push('(content-type)')
  if (headers['svix-signature'] !== undefined) names.push('(signature)')
  return names.join(' ')
}

// Whether a delivery is signed by its claimed sender. Configuration decides which sources must sign.

/** How far the sender's clock may be off, and how long a recorded delivery could be replayed. */
const toleranceMs = 5 * 60_000

type Verify = (
  secret: Uint8Array,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  now: number,
) => string | undefined

const verifiers: Record<SignatureScheme, Verify> = {
  /**
   * Standard Webhooks: base64 of HMAC-SHA256 over `id.timestamp.body`; several signatures, separated by spaces. Its older
   * headers begin with `svix-`.
   */
  standard(secret, headers, body, now) {
    const prefix = headers['webhook-signature'] === undefined ? 'svix' : 'webhook'
    const id = headers[`${prefix}-id`]
    const timestamp = headers[`${prefix}-timestamp`]
    const signatures = headers[`${prefix}-signature`]
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
      return 'The headers webhook-id, webhook-timestamp and webhook-signature are needed.'
    }
    const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : NaN
    if (!(Math.abs(now - sentAt) <= toleranceMs))
      return 'The signature is stale: webhook-timestamp is more than 5 minutes off.'
    const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
    const isGood = signatures
      .split(' ')
      .some(
        (signature) =>
          signature.startsWith('v1,') && isSame(expected, Buffer.from(signature.slice(3), 'base64')),
      )
    return isGood ? undefined : 'The signature is wrong.'
  },

  /** `X-WorkRamp-Signature`: hex of HMAC-SHA256 over the body. It has no time in it, so it cannot be stale. */
  workramp(secret, headers, body) {
    const signature = headers['x-workramp-signature']
    if (typeof signature !== 'string') return 'The header X-WorkRamp-Signature is needed.'
    const expected = createHmac('sha256', secret).update(body).digest()
    const isHex = /^[0-9a-f]{64}$/i.test(signature)
    return isHex && isSame(expected, Buffer.from(signature, 'hex')) ? undefined : 'The signature is wrong.'
  },
}

/** The problem with the last of these secrets, if none of them signs the body. */
export function findSignatureProblem(
  secrets: readonly SignatureSecret[],
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  now: number,
): string | undefined {
  let problem: string | undefined
  for (const { scheme, secret } of secrets) {
    problem = verifiers[scheme](secret, headers, body, now)
    if (problem === undefined) return undefined
  }
  return problem
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}
