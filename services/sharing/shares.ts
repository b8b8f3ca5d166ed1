/**
 * Links to one page for people without sign-in. A link is a random token, of which only the hash is kept, and what it shows
 * is decided at each opening from who made it.
 */
import { randomBytes } from 'node:crypto'
import { hashToken } from '../config/token.ts'
import { refuse, type Problem } from '../../language/problems.ts'
import type { AccessState } from '../access/access-state.ts'
import type { AccessShare, AccessStore, AuditAction, Claim } from '../access/access-store.ts'
import type { By } from '../access/changes.ts'
import type { Role } from '../config/values/roles.ts'
import { createTurns } from '../runtime/turns.ts'

export type NewShare = {
  path: string
  query: string
  names: boolean
  files: boolean
  days: number
  login: string
  role: Role
  claim: Claim
  address: string
}

export type SharesDeps = {
  store: AccessStore
  state: AccessState
  clock: () => number
  audit: (action: AuditAction, login: string, detail: string, address: string) => Promise<void>
  /** The longest life of a link; 0: nobody makes or opens one. */
  longestMs: number
  /** Called where an opening could not be counted. */
  onError: (error: unknown) => void
}

/**
 * A change writes the whole row as it was read, so what a sign-in says could undo a revocation. In a process they take turns; the row is
 * read right before, for those of other processes.
 */
const inTurn = createTurns()

const dayMs = 86_400_000
/** Live ones of one person. */
export const mostShares = 100
const longestQuery = 4_000

/**
 * Whose rights a link has: the lesser of the role that its maker had then and the one they have now. `null`: none,
 * or neither holds the other. An owner's link sees everything and does nothing, as an analyst.
 */
export function toShareRole(roleThen: Role, now: Role | null): Role | null {
  if (now === null) return null
  if (roleThen === 'owner' || roleThen === 'analyst') return now === 'owner' ? 'analyst' : now
  return now === roleThen || now === 'owner' || now === 'analyst' ? roleThen : null
}

export function createShares({ store, state, clock, audit, longestMs, onError }: SharesDeps) {
  const audited = new Map<string, number>()
  const isLive = (share: AccessShare) => longestMs > 0 && share.expires_at_ms > clock()
  const readLive = async () => (await store.readShares()).filter(isLive)

  async function write(share: AccessShare, change: Partial<AccessShare> & { isRevoked: boolean }) {
    const { opened: _, opened_at_ms: __, ...row } = share
    await store.writeShare({ ...row, ...change, nowMs: clock() })
  }

  const find = async (id: string) => (await readLive()).find((share) => share.id === id)

  /** Whether it was live. */
  function revoke(id: string, { by, address, of }: { of?: string } & By): Promise<boolean> {
    return inTurn(async () => {
      const share = await find(id)
      if (share === undefined || (of !== undefined && of !== share.login)) return false
      await write(share, { isRevoked: true })
      state.forget()
      await audit('share_revoked', by, id, address)
      return true
    })
  }

  return {
    longestDays: Math.floor(longestMs / dayMs),

    /** The token is shown once. */
    async make(request: NewShare): Promise<{ ok: true; token: string } | { ok: false; problem: Problem }> {
      const { days, login, role, claim, address, ...page } = request
      const longestDays = Math.floor(longestMs / dayMs)
      if (longestDays === 0) return refuse('sharing_off')
      if (!Number.isInteger(days) || days < 1 || days > longestDays)
        return refuse('not_a_link_life', { days: longestDays })
      if (page.query.length > longestQuery) return refuse('too_many_filters_to_share')
      const ownShares = (await readLive()).filter((share) => share.login === login)
      if (ownShares.length >= mostShares) return refuse('too_many_links', { n: mostShares })
      const token = randomBytes(32).toString('base64url')
      const sha256 = hashToken(token).toString('hex')
      const nowMs = clock()
      const id = sha256.slice(0, 12)
      await store.writeShare({
        ...page,
        id,
        sha256,
        login,
        role,
        email: claim.email,
        said_role: claim.role ?? '',
        said_user_id: claim.userId,
        created_at_ms: nowMs,
        expires_at_ms: nowMs + days * dayMs,
        isRevoked: false,
        nowMs,
      })
      state.forget()
      await audit('share_made', login, `${id} ${page.path}${page.query === '' ? '' : `?${page.query}`}`, address)
      return { ok: true, token }
    },

    /** `undefined`: unknown, expired or revoked. */
    async find(token: string): Promise<AccessShare | undefined> {
      if (!/^[\w-]{43}$/.test(token)) return undefined
      const { shares } = await state.read()
      const share = shares.get(hashToken(token).toString('hex'))
      return share !== undefined && isLive(share) ? share : undefined
    },

    /** Counts it; the audit has the first opening of each day. */
    async countOpening({ id, opened_at_ms }: AccessShare, address: string): Promise<void> {
      const nowMs = clock()
      const today = Math.floor(nowMs / dayMs)
      const isFirst = Math.floor(opened_at_ms / dayMs) !== today && audited.get(id) !== today
      for (const [each, day] of audited) if (day !== today) audited.delete(each)
      audited.set(id, today)
      await store.writeShareOpen(id, nowMs).catch(onError)
      if (isFirst) await audit('share_opened', `share:${id}`, '', address)
    },

    /** Newest first. */
    readLive,

    revoke: ({ id, ...by }: { id: string; of?: string } & By): Promise<boolean> => revoke(id, by),

    /** Every link of this login; how many. */
    async revokeAllOf({ login, ...by }: { login: string } & By): Promise<number> {
      const ownShares = (await readLive()).filter((share) => share.login === login)
      for (const { id } of ownShares) await revoke(id, by)
      return ownShares.length
    },

    /** The claim of a sign-in holds for the links made before it, too: a person in fewer groups now shows less. */
    async follow(login: string, { email, role, userId }: Claim): Promise<void> {
      const claim = { email, said_role: role ?? '', said_user_id: userId } as const
      const isOther = (share: AccessShare) =>
        share.login === login &&
        (share.email !== claim.email ||
          share.said_role !== claim.said_role ||
          share.said_user_id !== claim.said_user_id)
      // Behind a proxy this is asked with every request: the held facts say whether there is anything to change.
      if (![...(await state.read()).shares.values()].some(isOther)) return
      // Not from these: they may have a link that another process has revoked since.
      const other = (await readLive()).filter(isOther)
      for (const { id } of other) {
        await inTurn(async () => {
          const share = await find(id)
          if (share !== undefined) await write(share, { ...claim, isRevoked: false })
        })
      }
      state.forget()
    },
  }
}
