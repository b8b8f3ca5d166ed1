/**
 * Ingest tokens: the secret part of a webhook address. Configured ones are kept as SHA-256 hashes, and ingest remembers
 * the address of a proven one while the process lives. A token has at least 128 random bits, so a plain hash is enough; a
 * slow hash would only help an attacker keep the server busy.
 */
import { hash, randomBytes } from 'node:crypto'
import { setting, toEntries } from './setting.ts'

export type IngestToken = {
  /** The name under which deliveries are stored and counted. Several tokens may share it, for rotation. */
  source: string
  sha256: Uint8Array
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

export const reconcileSource = 'reconcile'

/** Rollcall's own source; no ingest token may have its name. */
export function isReserved(source: string): boolean {
  return source.toLowerCase() === reconcileSource
}

export const sourceName = /^[a-z0-9][a-z0-9_.-]{0,62}$/i
const minBits = 128

/** The problem of a token, or `undefined`. Only length and alphabet are checked. */
function findTokenProblem(token: string): string | undefined {
  if (!/^[A-Za-z0-9._~-]+$/.test(token)) return 'may have only letters, digits and - . _ ~'
  const alphabet = /^\d+$/.test(token) ? 10 : /^[0-9a-f-]+$/i.test(token) ? 16 : 64
  const bits = Math.floor(token.replaceAll('-', alphabet === 16 ? '' : '-').length * Math.log2(alphabet))
  if (bits < minBits || new Set(token).size < 8) {
    return `has fewer than ${minBits} random bits; make one with: openssl rand -hex 24`
  }
  return undefined
}

const hashForm = /^sha256:([0-9a-f]{64})$/i

/** `name=token,...`, or `name=sha256:<hex>` to configure only the hash. */
export const tokenList = setting((text, refuse) => {
  const hashes = new Set<string>()
  return toEntries(text).map((entry, index): IngestToken => {
    // By its position: an unreadable entry may be a bare token, and a token must not get into any log.
    const place = `entry ${index + 1}`
    const [, source = '', token = ''] = /^([^=]+)=(.*)$/s.exec(entry) ?? []
    if (!sourceName.test(source)) {
      return refuse(`${place} must be name=token; a name has up to 63 letters, digits and _ . -`)
    }
    if (isReserved(source)) refuse(`${place} (${source}) has a name that Rollcall uses itself`)
    const hashed = hashForm.exec(token)?.[1]
    const problem = hashed === undefined ? findTokenProblem(token) : undefined
    if (problem !== undefined) return refuse(`${place} (${source}) ${problem}`)
    const sha256 = hashed === undefined ? hashToken(token) : Buffer.from(hashed, 'hex')
    const hex = sha256.toString('hex')
    if (hashes.has(hex)) return refuse(`${place} (${source}) repeats a token`)
    hashes.add(hex)
    return { source, sha256 }
  })
})

/** 192 random bits, in letters that need no encoding in a URL. */
export function makeToken(): string {
  return randomBytes(24).toString('base64url')
}
