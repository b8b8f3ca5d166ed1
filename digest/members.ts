/** Who gets mails: managers, unless they choose otherwise; owners and analysts who asked; owners for alerts. */
import { randomBytes } from 'node:crypto'
import { hold } from '../services/runtime/hold.ts'
import { toRole, type Access, type Identity } from '../services/access/access.ts'
import { toLogin, type Role } from '../services/config/values/roles.ts'
import { isAddress } from '../services/config/values/address.ts'
import type { DigestStore, Subscription } from './digest-store.ts'
import type { Frequency, Schedule } from './schedule.ts'
import { toVisitor, type AudienceSettings, type Visitor } from '../services/access/visitor.ts'
import { currentReading, isReading } from '../language/language.ts'

/** Where a person has chosen nothing. */
export type DigestDefaults = {
  frequency: Frequency | 'off'
  weekday: number
  hour: number
  timeZone: string
  language: string
}

export type Member = {
  login: string
  role: Role
  /** Empty: there is no address that mail could go to. */
  address: string
  /** `null`: none, by choice or by configuration. */
  schedule: Schedule | null
  language: string
  /** Whether they have signed in, or chosen: before that they get no digest. */
  wasHere: boolean
  alerts: boolean
  /** Left out: the member has chosen nothing and was never here. */
  subscription: Subscription | undefined
}

export type Members = ReturnType<typeof createMembers>

export type MembersDeps = {
  access: Pick<Access, 'state' | 'settings' | 'identify'>
  store: DigestStore
  audiences: AudienceSettings
  defaults: DigestDefaults
  clock: () => number
}

/** A role by groups is known from the last visit only: after this long without one it counts no more. */
const believedMs = 90 * 86_400_000
const noteEveryMs = 86_400_000
const maxAgeMs = 5_000

export function createMembers({ access, store, audiences, defaults, clock }: MembersDeps) {
  const { read, forget } = hold(() => store.readSubscriptions(), clock, maxAgeMs)

  /** Reads the row, changes it, and begins again if another process was faster. `edit` returns `undefined` to leave it. */
  async function change(
    login: string,
    edit: (before: Subscription | undefined) => Subscription | undefined,
  ): Promise<void> {
    let kept = await store.subscriptions.read(login)
    for (;;) {
      const edited = edit(kept?.value)
      if (edited === undefined) return forget()
      const put = await store.subscriptions.put(login, edited, kept?.version ?? 0)
      forget()
      if (put.ok) return
      kept = put.kept
    }
  }

  const find = async (login: string) => (await read()).find((each) => each.login === login)

  async function findByKey(key: string): Promise<Subscription | undefined> {
    if (key === '') return undefined
    forget()
    return (await read()).find(({ unsubscribe_key }) => unsubscribe_key === key)
  }

  /** The row of a member who has chosen nothing. */
  function toNew(login: string): Subscription {
    return {
      login,
      email: '',
      frequency: '',
      weekday: defaults.weekday,
      hour: defaults.hour,
      time_zone: '',
      // A mail is made without a visitor: then it has the default.
      language: isReading() ? currentReading().language : defaults.language,
      alerts: true,
      unsubscribe_key: randomBytes(24).toString('base64url'),
      role: '',
      user_id: '',
      seen_at_ms: 0,
    }
  }

  function toClaimed(login: string, subscription: Subscription | undefined) {
    const isBelieved = subscription !== undefined && clock() - subscription.seen_at_ms < believedMs
    const role = isBelieved ? toRole(subscription.role) : null
    const email = subscription?.email || (login.includes('@') ? login : '')
    return { login, email, role, userId: isBelieved ? subscription.user_id : '' }
  }

  function toMember(login: string, role: Role, subscription: Subscription | undefined): Member {
    const email = toClaimed(login, subscription).email
    return {
      login,
      role,
      address: isAddress(email) ? email : '',
      schedule: toSchedule(role, subscription),
      language: subscription?.language ?? defaults.language,
      wasHere: subscription !== undefined && (subscription.seen_at_ms > 0 || subscription.frequency !== ''),
      alerts: role === 'owner' && (subscription?.alerts ?? true),
      subscription,
    }
  }

  function toSchedule(role: Role, subscription: Subscription | undefined): Schedule | null {
    const chosen = subscription?.frequency || (role === 'manager' ? defaults.frequency : 'off')
    if (chosen === 'off') return null
    // Before a member has chosen, the configuration says when.
    const { weekday, hour } = subscription?.frequency ? subscription : defaults
    return { frequency: chosen, weekday, hour, timeZone: subscription?.time_zone || defaults.timeZone }
  }

  async function readAll() {
    const [{ people }, subscriptions] = await Promise.all([access.state.read(), read()])
    const byLogin = new Map(subscriptions.map((each) => [each.login, each]))
    return { people, byLogin, owners: new Set(access.settings.owners.map(toLogin)) }
  }

  function memberOf(login: string, { people, byLogin, owners }: Awaited<ReturnType<typeof readAll>>) {
    const subscription = byLogin.get(login)
    const role = owners.has(login)
      ? 'owner'
      : toRole(people.get(login)?.role || toClaimed(login, subscription).role)
    return role === null ? undefined : toMember(login, role, subscription)
  }

  async function list(): Promise<Member[]> {
    const all = await readAll()
    const logins = new Set([...all.owners, ...all.people.keys(), ...all.byLogin.keys()])
    return [...logins].sort().flatMap((login) => memberOf(login, all) ?? [])
  }

  return {
    list,
    find,

    /** As of now. `undefined`: this login gets no mails. */
    findMember: async (login: string): Promise<Member | undefined> => memberOf(login, await readAll()),

    async settingsOf(login: string): Promise<Subscription> {
      return (await find(login)) ?? toNew(login)
    },

    /** Where answers reach somebody; empty: there is no address. */
    async mailboxOf(login: string): Promise<string> {
      const { email } = toClaimed(login, await find(login))
      return isAddress(email) ? email : ''
    },

    /** The member with the rights of now: asked before each mail. */
    async identify(login: string): Promise<{ identity: Identity; visitor: Visitor }> {
      const identity = await access.identify(toClaimed(login, await find(login)))
      return { identity, visitor: toVisitor(identity, 'digest', audiences) }
    },

    async choose(
      login: string,
      chosen: Pick<Subscription, 'frequency' | 'weekday' | 'hour' | 'time_zone' | 'alerts'> &
        Partial<Pick<Subscription, 'language'>>,
    ): Promise<void> {
      await change(login, (before) => ({ ...(before ?? toNew(login)), ...chosen }))
    },

    /** The key for the links of the member's mails, made at the first one. */
    async keyOf(login: string): Promise<string> {
      const member = await find(login)
      if (member !== undefined) return member.unsubscribe_key
      await change(login, (before) => (before === undefined ? toNew(login) : undefined))
      return (await find(login))?.unsubscribe_key ?? ''
    },

    /** Where the mails with this key go: `s…@example.com`, as much as is in any of them. `null`: the key is nobody's. */
    async addressOf(key: string): Promise<string | null> {
      const member = await findByKey(key)
      return member === undefined ? null : (member.email || member.login).replace(/^(.).*(?=@)/u, '$1…')
    },

    /** Whether the key is somebody's. Needs no sign-in: anyone who has a mail may end what it belongs to. */
    async unsubscribe(key: string, of: 'digest' | 'alerts'): Promise<boolean> {
      const login = (await findByKey(key))?.login
      if (login === undefined) return false
      const off = of === 'alerts' ? ({ alerts: false } as const) : ({ frequency: 'off' } as const)
      await change(login, (before) => before && { ...before, ...off })
      return true
    },

    /** Notes a visit: a role by groups, and the loss of one, is known in no other way. */
    async note({ login, role, claim, via }: Visitor): Promise<void> {
      // A script with a token is no visit.
      if (claim === undefined || login === '' || (via !== 'session' && via !== 'proxy')) return
      const now = clock()
      const member = await find(login)
      const visit = { email: claim.email, role: claim.role ?? ('' as const), user_id: claim.userId }
      const isSame =
        member !== undefined &&
        member.email === visit.email &&
        member.role === visit.role &&
        member.user_id === visit.user_id &&
        now - member.seen_at_ms < noteEveryMs
      if (isSame) return
      // Owners and analysts have a row from when they ask for a digest.
      if (member === undefined && role !== 'manager') return
      await change(login, (before) => ({ ...(before ?? toNew(login)), ...visit, seen_at_ms: now }))
    },
  }
}
