/** Sessions as sealed cookies: encrypted (A256GCM by jose), so that nobody reads or changes one. */
import { hash, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { z } from 'zod'
import { roles } from '../config/values/roles.ts'
import { writeOnce } from '../config/whole-file.ts'

export const sessionSchema = z.object({
  id: z.string(),
  login: z.string(),
  /** Verified e-mail, or empty. */
  email: z.string(),
  /** The role by the groups of the sign-in provider. */
  role: z.enum(roles).nullable(),
  /** The id at the platform, where the provider says it. */
  userId: z.string(),
  /** Epoch ms. */
  signedInAt: z.number(),
  /** The end of every session of this login that stood at the sign-in; 0: none. A later one ends this session, by whatever clock. */
  lastEnd: z.number(),
})
export type Session = z.infer<typeof sessionSchema>

export type Seals = {
  /** For any JSON. `purpose` keeps one kind of cookie from passing for another. */
  seal(purpose: string, value: Record<string, unknown>, expiresAtMs: number): Promise<string>
  /** `undefined`: not ours, changed, of another purpose, or expired. */
  open(purpose: string, text: string): Promise<Record<string, unknown> | undefined>
}

const issuer = 'rollcall'

/** The first secret seals, all open: a secret is replaced by putting a new one before it. */
export function createSeals(secrets: readonly string[], clock: () => number = Date.now): Seals {
  const keys = secrets.map((secret) => ({
    kid: hash('sha256', `kid:${secret}`, 'base64url').slice(0, 8),
    key: new Uint8Array(hkdfSync('sha256', secret, '', 'rollcall session cookies', 32)),
  }))
  const [first] = keys
  if (first === undefined) throw new Error('A seal needs a secret')
  return {
    seal: (purpose, value, expiresAtMs) =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: first.kid })
        .setIssuer(issuer)
        .setAudience(purpose)
        .setExpirationTime(Math.floor(expiresAtMs / 1000))
        .encrypt(first.key),
    async open(purpose, text) {
      try {
        const { payload } = await jwtDecrypt(
          text,
          ({ kid }) => {
            const match = keys.find((key) => key.kid === kid)
            if (match === undefined) throw new Error('unknown key')
            return match.key
          },
          {
            issuer,
            audience: purpose,
            keyManagementAlgorithms: ['dir'],
            contentEncryptionAlgorithms: ['A256GCM'],
            currentDate: new Date(clock()),
            requiredClaims: ['exp'],
          },
        )
        return z.record(z.string(), z.unknown()).parse(payload['value'])
      } catch {
        return undefined
      }
    },
  }
}

/** The secret of an embedded installation, made at the first start; `DATA_DIR/session-secret`, for its owner only. */
export function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, 'session-secret')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) writeOnce(path, `${randomBytes(32).toString('base64url')}\n`)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32) throw new Error(`${path} is damaged. Delete it: everybody signs in again.`)
  return secret
}
