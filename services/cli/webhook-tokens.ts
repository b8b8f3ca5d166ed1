/**
 * The accepted tokens of webhook addresses: of INGEST_TOKENS, of `rollcall tokens`, and the generated one.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { readTokenFile, toHex } from '../config/token-file.ts'
import { hashToken, readOwnToken } from '../config/token.ts'

export const ownTokenName = 'main'

export type WebhookToken = {
  /** The first digits of its hash: enough to tell tokens apart, useless for sending. */
  id: string
  name: string
  origin: 'INGEST_TOKENS' | 'rollcall tokens' | 'made at the first start'
  created_at: string | null
  sha256: string
}

/** Each token once. */
export function findLiveTokens(config: Config): WebhookToken[] {
  const file = readTokenFile(config.dataDir)
  const generated = readGenerated(config)
  const all: WebhookToken[] = [
    ...config.ingestTokens.map(({ source, sha256 }) => toToken(source, toHex(sha256), 'INGEST_TOKENS', null)),
    ...(generated === undefined
      ? []
      : [
          toToken(
            ownTokenName,
            toHex(hashToken(generated)),
            'made at the first start',
            toGeneratedAt(config),
          ),
        ]),
    ...file.tokens.map(({ name, sha256, created_at }) =>
      toToken(name, sha256, 'rollcall tokens', created_at),
    ),
  ]
  const revoked = new Set(file.revoked.map(({ sha256 }) => sha256))
  return all.filter(
    ({ sha256 }, at) => !revoked.has(sha256) && all.findIndex((other) => other.sha256 === sha256) === at,
  )
}

function toToken(
  name: string,
  sha256: string,
  origin: WebhookToken['origin'],
  created_at: string | null,
): WebhookToken {
  return { id: toTokenId(sha256), name, origin, created_at, sha256 }
}

export function toTokenId(sha256: string): string {
  return sha256.slice(0, 8)
}

/** `undefined` if INGEST_TOKENS is set, or if there was no start. */
export function readGenerated({ ingestTokens, dataDir }: Config): string | undefined {
  return ingestTokens.length === 0 ? readOwnToken(dataDir) : undefined
}

export function toGeneratedAt({ dataDir }: Config): string {
  return statSync(join(dataDir, 'ingest-token')).mtime.toISOString()
}

/** An entry of INGEST_TOKENS. */
export function toEntry({ name, sha256 }: Pick<WebhookToken, 'name' | 'sha256'>): string {
  return `${name}=sha256:${sha256}`
}
