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
  const generated = readGenerated(config)
  const all = [
    ...config.ingestTokens.map((token) =>
      toToken('INGEST_TOKENS', { name: token.source, sha256: toHex(token.sha256) }),
    ),
    ...(generated === undefined
      ? []
      : [toToken('made at the first start', { name: 'main', sha256: toHex(hashToken(generated)) })]),
    ...file.tokens.map((token) => toToken('rollcall tokens', token)),
  ]
  const live = all.filter(({ sha256 }) => !file.revoked.some((token) => token.sha256 === sha256))
  return [...new Map(live.map((token) => [token.sha256, token])).values()]
}

function toToken(
  origin: WebhookToken['origin'],
  { name, sha256 }: Pick<WebhookToken, 'name' | 'sha256'>,
): WebhookToken {
  return { id: toTokenId(sha256), name, origin, sha256 }
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
