/**
 * The accepted tokens of webhook addresses: of INGEST_TOKENS, of `rollcall tokens`, and the generated one.
 */
import type { Config } from '../config/config.ts'
import { readTokenFile, toHex } from '../config/token-file.ts'
import { hashToken, readOwnToken } from '../config/token.ts'

export type WebhookToken = {
  /** The first digits of its hash: enough to tell tokens apart, useless for sending. */
  id: string
  name: string
  origin: 'INGEST_TOKENS' | 'rollcall tokens' | 'made at the first start'
  sha256: string
}

/** Each token once. */
export function findLiveTokens(config: Config): WebhookToken[] {
  const file = readTokenFile(config.dataDir)
  const generated = readGenerated(config) ?? []
  const all: [WebhookToken['origin'], { name: string; sha256: string }[]][] = [
    [
      'INGEST_TOKENS',
      config.ingestTokens.map(({ source: name, sha256 }) => ({ name, sha256: toHex(sha256) })),
    ],
    [
      'made at the first start',
      [generated].flat().map((token) => ({ name: 'main', sha256: toHex(hashToken(token)) })),
    ],
    ['rollcall tokens', file.tokens],
  ]
  const revoked = new Set(file.revoked.map(({ sha256 }) => sha256))
  const live = all.flatMap(([origin, tokens]) =>
    tokens.map(({ name, sha256 }) => ({ id: toTokenId(sha256), name, origin, sha256 })),
  )
  const byHash = new Map(live.map((token) => [token.sha256, token]))
  return [...byHash.values()].filter(({ sha256 }) => !revoked.has(sha256))
}

export function toTokenId(sha256: string): string {
  return sha256.slice(0, 8)
}

/** `undefined` if INGEST_TOKENS is set, or if there was no start. */
export function readGenerated({ ingestTokens, dataDir }: Config): string | undefined {
  return ingestTokens.length === 0 ? readOwnToken(dataDir) : undefined
}

/** An entry of INGEST_TOKENS. */
export function toEntry({ name, sha256 }: Pick<WebhookToken, 'name' | 'sha256'>): string {
  return `${name}=sha256:${sha256}`
}
