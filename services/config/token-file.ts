/**
 * The tokens that `rollcall tokens` has created and revoked: `DATA_DIR/tokens.json`, for its owner only, with hashes and
 * no token. Ingest checks it about once a second, so no restart is needed.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { checkDataDirectory } from './check-data-directory.ts'
import { StartError } from './start-error.ts'
import { sourceName, type IngestToken } from './token.ts'
import { replaceFile } from './whole-file.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const tokenFileSchema = z.object({
  tokens: z.array(z.object({ name: z.string().regex(sourceName), sha256, created_at: z.iso.datetime() })),
  /** Also tokens of `INGEST_TOKENS`: revoked at once, before they are removed there. */
  revoked: z.array(
    z.object({ name: z.string().regex(sourceName).optional(), sha256, revoked_at: z.iso.datetime() }),
  ),
})
export type TokenFile = z.infer<typeof tokenFileSchema>

const followIntervalMs = 1_000

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

export function toLiveTokens(configured: readonly IngestToken[], file: TokenFile): IngestToken[] {
  const revoked = new Set(file.revoked.map((token) => token.sha256))
  const added = file.tokens.map((token) => ({ source: token.name, sha256: Buffer.from(token.sha256, 'hex') }))
  return [...configured, ...added].filter((token) => !revoked.has(toHex(token.sha256)))
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

export function followTokenFile(
  dataDir: string,
  { onChange, onError }: { onChange: (file: TokenFile) => void; onError: (error: unknown) => void },
): () => void {
  let last = toStamp(dataDir)
  const looking = setInterval(() => {
    let stamp = last
    try {
      stamp = toStamp(dataDir)
      if (stamp === last) return
      onChange(readTokenFile(dataDir))
      last = stamp
    } catch (error) {
      // Damaged, it stays so until it is another file. What could not be read may be read the next time.
      if (error instanceof StartError) last = stamp
      onError(error)
    }
  }, followIntervalMs)
  looking.unref()
  return () => clearInterval(looking)
}

/** The file is replaced whole, so a change has another inode, whatever the clock says. */
function toStamp(dataDir: string): string {
  const stats = statSync(toTokenPath(dataDir), { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino}.${stats.mtimeMs}.${stats.size}`
}

function toTokenPath(dataDir: string): string {
  return join(dataDir, 'tokens.json')
}
