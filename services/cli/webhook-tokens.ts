/** The accepted tokens of webhook addresses: of INGEST_TOKENS, and of the token file. */
import type { Config } from '../config/config.ts'
import { readTokenFile, toHex, toLiveTokens } from '../config/token-file.ts'

export type WebhookToken = {
  /** The first digits of its hash: enough to tell tokens apart, useless for sending. */
  id: string
  name: string
  origin: string
  sha256: string
}

/** Each token once. */
export function findLiveTokens({ ingestTokens, dataDir }: Config): WebhookToken[] {
  const live = toLiveTokens(ingestTokens, readTokenFile(dataDir)).map(({ source, sha256, origin }) => {
    const hex = toHex(sha256)
    return { id: toTokenId(hex), name: source, origin, sha256: hex }
  })
  return [...new Map(live.map((token) => [token.sha256, token])).values()]
}

export function toTokenId(sha256: string): string {
  return sha256.slice(0, 8)
}

/** An entry of INGEST_TOKENS. */
export function toEntry({ name, sha256 }: Pick<WebhookToken, 'name' | 'sha256'>): string {
  return `${name}=sha256:${sha256}`
}
