/**
 * The tokens that `rollcall tokens` has created and revoked: `DATA_DIR/tokens.json`, for its owner only, with hashes.
 * Ingest checks it about once a second, so no restart is needed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { checkDataDirectory } from './check-data-directory.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'
import { hashToken, makeToken, sourceName, type IngestToken } from './token.ts'
import { replaceFile } from './whole-file.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const tokenFileSchema = z.object({
  tokens: z.array(
    z.object({
      name: z.string().regex(sourceName),
      sha256,
      created_at: z.iso.datetime(),
      /** Only of the one that the first start generates: its address can be shown again (docs/decisions/0002). */
      token: z.string().optional(),
    }),
  ),
  /** Also tokens of `INGEST_TOKENS`: revoked at once, before they are removed there. */
  revoked: z.array(
    z.object({ name: z.string().regex(sourceName).optional(), sha256, revoked_at: z.iso.datetime() }),
  ),
})
export type TokenFile = z.infer<typeof tokenFileSchema>

/** Throws for an unreadable file: ignoring it would revive revoked tokens. */
export function readTokenFile(dataDir: string): TokenFile {
  const path = toTokenPath(dataDir)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { tokens: [], revoked: [] }
    throw error
  }
  try {
    return tokenFileSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartError(
      `${path} is damaged. Restore it from a backup; or delete it, create new tokens (rollcall tokens new <name>), and repeat the revocations.`,
      { cause },
    )
  }
}

export function writeTokenFile(dataDir: string, file: TokenFile): void {
  checkDataDirectory(dataDir)
  replaceFile(toTokenPath(dataDir), `${JSON.stringify(file, null, 2)}\n`)
}

/** The generated token counts only while none is configured. */
export function toLiveTokens(configured: readonly IngestToken[], file: TokenFile) {
  const revoked = new Set(file.revoked.map((token) => token.sha256))
  const added = file.tokens.filter(({ token }) => token === undefined || configured.length === 0)
  return [
    ...configured.map((token) => ({ ...token, origin: 'INGEST_TOKENS' })),
    ...added.map(({ name, sha256, token }) => ({
      source: name,
      sha256: Buffer.from(sha256, 'hex'),
      origin: token === undefined ? 'rollcall tokens' : 'made at the first start',
    })),
  ].filter((token) => !revoked.has(toHex(token.sha256)))
}

/** So that the first start needs no setting. `false` if a token exists. */
export function makeFirstToken({ ingestTokens, dataDir }: Config): boolean {
  const file = readTokenFile(dataDir)
  if (ingestTokens.length > 0 || file.tokens.length > 0) return false
  const token = makeToken()
  const sha256 = toHex(hashToken(token))
  const tokens = [{ name: 'main', sha256, created_at: new Date().toISOString(), token }]
  writeTokenFile(dataDir, { ...file, tokens })
  return true
}

/** `undefined` if another token is configured, or if there was no start. */
export function readGeneratedToken({ ingestTokens, dataDir }: Config): string | undefined {
  if (ingestTokens.length > 0) return undefined
  return readTokenFile(dataDir).tokens.find(({ token }) => token !== undefined)?.token
}

/**
 * Throws a `StartError` for a signature of a name that no token has, or had before it was revoked: a misspelt secret would
 * leave that sender unchecked.
 */
export function checkTokenNames(
  configured: readonly IngestToken[],
  { tokens, revoked }: TokenFile,
  signatureSecrets: readonly { source: string }[],
): void {
  const names = new Set([...configured.map(({ source }) => source), ...tokens.map(({ name }) => name)])
  const isKnown = (name: string) => names.has(name) || revoked.some((one) => one.name === name)
  const problems = signatureSecrets.filter(({ source }) => !isKnown(source))
  if (problems.length === 0) return
  const lines = problems.map(({ source }) => `INGEST_SIGNATURE_SECRETS: no token has the name ${source}.`)
  throw new StartError(`${lines.join('\n')}\nTokens have the names: ${[...names].join(', ')}.`)
}

export function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

function toTokenPath(dataDir: string): string {
  return join(dataDir, 'tokens.json')
}
