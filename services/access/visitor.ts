/** Who asks: known from the guard on, everywhere in the request. Nobody has to pass it on, so nobody can forget to. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { everybody, type Audience } from '../../reporting/audience.ts'
import type { Identity } from './access.ts'
import type { Claim } from './access-store.ts'
import type { Role } from '../config/values/roles.ts'
import type { Session } from './session-cookie.ts'

export type Visitor = {
  /** Empty: nobody signs in here. */
  login: string
  /** `null`: not signed in, or without a role. */
  role: Role | null
  audience: Audience
  /**
   * How we know: `nobody` where nobody signs in, `digest` where a mail is made for a member who is not there.
   */
  via: 'nobody' | 'session' | 'proxy' | 'token' | 'stranger' | 'digest'
  session?: Session
  /** The claim of the visitor's sign-in. Left out where nobody or a token signs in. */
  claim?: Claim
  /** A manager that the platform does not know. */
  isUnmatched?: boolean
}

/** Sees nothing; reads the pages that are for everybody. */
export const stranger: Visitor = {
  login: '',
  role: null,
  audience: { people: { under: [], teams: [], teamsOf: [] }, names: false },
  via: 'stranger',
}

/** Where nobody signs in, everybody who reaches the port is an owner. */
export const anybody: Visitor = { login: '', role: 'owner', audience: everybody, via: 'nobody' }

const visitors = new AsyncLocalStorage<Visitor>()

/** `currentVisitor` is an object of its own in each run. */
export function runAs<Result>(visitor: Visitor, run: () => Result): Result {
  return visitors.run({ ...visitor }, run)
}

/** Throws outside of a request: a read for nobody in particular must not become one for everybody. */
export function currentVisitor(): Visitor {
  const visitor = visitors.getStore()
  if (visitor === undefined) throw new Error('Nobody is known to ask this')
  return visitor
}

export type AudienceSettings = { managerSees: 'reports' | 'reports-and-team' }

export function toVisitor(
  { login, role, names, userId, claim }: Identity,
  via: Visitor['via'],
  { managerSees }: AudienceSettings,
): Visitor {
  const who = { login, role, via, ...(claim !== undefined && { claim }) }
  switch (role) {
    case 'owner':
      return { ...who, audience: everybody }
    case 'analyst':
      return { ...who, audience: { people: 'all', names } }
    case 'manager': {
      const under = userId === null ? [] : [userId]
      const people = { under, teams: [], teamsOf: managerSees === 'reports-and-team' ? under : [] }
      return { ...who, audience: { people, names }, isUnmatched: userId === null }
    }
    case null:
      return { ...who, audience: stranger.audience }
  }
}
