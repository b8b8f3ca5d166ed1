/** Whether a delivery is signed by its claimed sender. Configuration decides which sources must sign. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SignatureScheme, SignatureSecret } from '../../config/signature-secret.ts'

/** How far the sender's clock may be off, and how long a recorded delivery could be replayed. */
const toleranceMs = 5 * 60_000

export type SignatureCheck = (headers: IncomingHttpHeaders, body: Uint8Array, now: number) => string | undefined

type Verify = (secret: Uint8Array, headers: IncomingHttpHeaders, body: Uint8Array, now: number) => string | undefined

const verifiers: Record<SignatureScheme, Verify> = {
  /** Standard Webhooks: base64 of HMAC-SHA256 over `id.timestamp.body`; several signatures, separated by spaces. */
  standard(secret, headers, body, now) {
    const id = headers['webhook-id']
    const timestamp = headers['webhook-timestamp']
    const signatures = headers['webhook-signature']
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
      return 'The headers webhook-id, webhook-timestamp and webhook-signature are needed.'
    }
    const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : NaN
    if (!(Math.abs(now - sentAt) <= toleranceMs))
      return 'The signature is stale: webhook-timestamp is more than 5 minutes off.'
    const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
    const isGood = signatures
      .split(' ')
      .some((signature) => signature.startsWith('v1,') && isSame(expected, Buffer.from(signature.slice(3), 'base64')))
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

/** For one source: any of its secrets is valid; without any, no signature is needed. */
export function createSignatureCheck(secrets: readonly SignatureSecret[]): SignatureCheck | undefined {
  if (secrets.length === 0) return undefined
  return (headers, body, now) => {
    let problem: string | undefined
    for (const { scheme, secret } of secrets) {
      problem = verifiers[scheme](secret, headers, body, now)
      if (problem === undefined) return undefined
    }
    return problem
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}
