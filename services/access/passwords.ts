/** Passwords: scrypt of node:crypto, with the costs in the hash so that they can rise. */
import type { Problem } from '../../language/problems.ts'
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { createTurns } from '../runtime/turns.ts'

export const fewestCharacters = 12
const fewestDifferent = 5
/** More is not hashed: a body could keep the machine busy. */
const mostCharacters = 1_024
/** The cost of hashing a new password. Tests in which the hash is not the subject lower `N`. */
export const costs = { N: 2 ** 16, r: 8, p: 1 }
const keyBytes = 32

/** The problem of a new password, or `undefined`. */
export function findPasswordProblem(password: string): Problem | undefined {
  const { length } = password
  if (length < fewestCharacters) return { code: 'password_short', values: { n: fewestCharacters } }
  if (length > mostCharacters) return { code: 'password_long', values: { n: mostCharacters } }
  if (new Set(password).size < fewestDifferent)
    return { code: 'password_simple', values: { n: fewestDifferent } }
  return undefined
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, costs)
  return `scrypt$${costs.N}$${costs.r}$${costs.p}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Takes as long for a login that nobody has, or without a password, as for a wrong password. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const parsed = parse(stored ?? '')
  const { salt, key, ...its } = parsed ?? { ...nobody, ...costs }
  const derived = await derive(password.slice(0, mostCharacters), salt, its)
  return timingSafeEqual(derived, key) && parsed !== undefined
}

const nobody = { salt: randomBytes(16), key: randomBytes(keyBytes) }

function parse(stored: string): (typeof costs & typeof nobody) | undefined {
  const [, N, r, p, salt = '', key = ''] =
    /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? []
  const parsed = {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
  return parsed.key.length === keyBytes ? parsed : undefined
}

/** One at a time: each takes 64 MiB and a tenth of a second. */
const inTurn = createTurns()
const scryptOnce = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

async function derive(password: string, salt: Buffer, { N, r, p }: typeof costs): Promise<Buffer> {
  const options = { N, r, p, maxmem: 256 * N * r }
  return inTurn(() => scryptOnce(password.normalize('NFKC'), salt, keyBytes, options))
}
