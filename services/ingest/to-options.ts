import type { Config } from '../config/config.ts'
import type { IngestToken } from '../config/token.ts'
import type { IngestOptions } from './open-ingest.ts'

export function toIngestOptions(config: Config, tokens: readonly IngestToken[]): IngestOptions {
  return {
    host: config.host,
    port: config.ingestPort,
    tokens,
    tokenDirectory: config.dataDir,
    signatureSecrets: config.signatureSecrets,
    maxBodyBytes: config.maxBodyBytes,
    rateLimits: { perSecond: config.rateLimitPerSecond, bySource: config.rateLimitSources },
    allowedNetworks: config.allowedNetworks,
    trustedProxies: config.trustedProxies,
  }
}
