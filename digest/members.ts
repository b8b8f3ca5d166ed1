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

/** Of people who have chosen nothing. */
export type DigestDefaults = Omit<Schedule, 'frequency'> & { frequency: Frequency | 'off'; language: string }

export type Member = {
  login: string
  role: Role
  /** Empty if there is none that mail could go to. */
  address: string
  /** `null`: none, by choice or by configuration. */
  schedule: Schedule | null
  timeZone: string
  language: string
  /** Whether they have signed in, or chosen: before that they get no digest. */
  wasHere: boolean
  alerts: boolean
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
  const find = async (login: string) => (await read()).find((each) => each.login === login)

  async function findByKey(key: string): Promise<Subscription | undefined> {
    if (key === '') return undefined
    forget()
    return (await read()).find(({ unsubscribe_key }) => unsubscribe_key === key)
  }

  /** Starts again if another process was faster. `isNew`: may make the row. */
  async function change(login: string, patch: Partial<Subscription>, isNew = true): Promise<void> {
    const kept = await store.subscriptions.read(login)
    if (kept === undefined && !isNew) return
    const put = await store.subscriptions.put(
      login,
      { ...(kept?.value ?? toNew(login, defaults)), ...patch },
      kept?.version ?? 0,
    )
    forget()
    if (!put.ok) await change(login, patch, isNew)
  }

  function toClaimed({ login, email, role, user_id, seen_at_ms }: Subscription) {
    const isBelieved = clock() - seen_at_ms < believedMs
    const address = email || (login.includes('@') ? login : '')
    return {
      login,
      email: address,
      role: isBelieved ? toRole(role) : null,
      userId: isBelieved ? user_id : '',
    }
  }

  async function readAll() {
    const [{ people }, subscriptions] = await Promise.all([access.state.read(), read()])
    const byLogin = new Map(subscriptions.map((each) => [each.login, each]))
    return { people, byLogin, owners: new Set(access.settings.owners.map(toLogin)) }
  }

  function memberOf(login: string, { people, byLogin, owners }: Awaited<ReturnType<typeof readAll>>) {
    const subscription = byLogin.get(login) ?? toNew(login, defaults)
    const { email, role: claimed } = toClaimed(subscription)
    const role = owners.has(login) ? 'owner' : toRole(people.get(login)?.role || claimed)
    return role === null ? undefined : toMember(role, email, subscription, defaults)
  }

  const settingsOf = async (login: string) => (await find(login)) ?? toNew(login, defaults)

  return {
    find,
    settingsOf,

    async list(): Promise<Member[]> {
      const all = await readAll()
      const logins = new Set([...all.owners, ...all.people.keys(), ...all.byLogin.keys()])
      return [...logins].sort().flatMap((login) => memberOf(login, all) ?? [])
    },

    /** As of now. `undefined`: this login gets no mails. */
    findMember: async (login: string): Promise<Member | undefined> => memberOf(login, await readAll()),

    /** Where answers reach a person; empty if there is no address. */
    async mailboxOf(login: string): Promise<string> {
      const { email } = toClaimed(await settingsOf(login))
      return isAddress(email) ? email : ''
    },

    /** The member with the rights of now: asked before each mail. */
    async identify(login: string): Promise<{ identity: Identity; visitor: Visitor }> {
      const identity = await access.identify(toClaimed(await settingsOf(login)))
      return { identity, visitor: toVisitor(identity, 'digest', audiences) }
    },

    choose: (
      login: string,
      chosen: Pick<Subscription, 'frequency' | 'weekday' | 'hour' | 'time_zone' | 'alerts'> &
        Partial<Pick<Subscription, 'language'>>,
    ): Promise<void> => change(login, chosen),

    /** The key for the links of the member's mails, made at the first one. */
    async keyOf(login: string): Promise<string> {
      if ((await find(login)) === undefined) {
        await store.subscriptions.put(login, toNew(login, defaults), 0)
        forget()
      }
      return (await find(login))?.unsubscribe_key ?? ''
    },

    /** Where the mails with this key go: `s…@example.com`, as much as is in any of them. `null`: an unknown key. */
    async addressOf(key: string): Promise<string | null> {
      const member = await findByKey(key)
      return member === undefined ? null : (member.email || member.login).replace(/^(.).*(?=@)/u, '$1…')
    },

    /** Whether the key is known. Needs no sign-in: anyone who has a mail may end what it belongs to. */
    async unsubscribe(key: string, of: 'digest' | 'alerts'): Promise<boolean> {
      const login = (await findByKey(key))?.login
      if (login === undefined) return false
      await change(login, of === 'alerts' ? { alerts: false } : { frequency: 'off' }, false)
      return true
    },

    /** Notes a visit: a role by groups, and the loss of one, is known in no other way. */
    async note({ login, role, claim, via }: Visitor): Promise<void> {
      // A script with a token is no visit.
      if (claim === undefined || login === '' || (via !== 'session' && via !== 'proxy')) return
      const member = await find(login)
      const visit = { email: claim.email, role: claim.role ?? ('' as const), user_id: claim.userId }
      const isNoted =
        member !== undefined &&
        member.email === visit.email &&
        member.role === visit.role &&
        member.user_id === visit.user_id &&
        clock() - member.seen_at_ms < noteEveryMs
      // Owners and analysts have a row from when they ask for a digest.
      if (isNoted || (member === undefined && role !== 'manager')) return
      await change(login, { ...visit, seen_at_ms: clock() })
    },
  }
}

/** The row of a member who has chosen nothing. */
function toNew(login: string, defaults: DigestDefaults): Subscription {
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

function toMember(role: Role, email: string, settings: Subscription, defaults: DigestDefaults): Member {
  const { login, frequency, language, alerts, seen_at_ms } = settings
  const chosen = frequency || (role === 'manager' ? defaults.frequency : 'off')
  // Before a member has chosen, the configuration says when.
  const { weekday, hour } = frequency === '' ? defaults : settings
  const timeZone = settings.time_zone || defaults.timeZone
  return {
    login,
    role,
    address: isAddress(email) ? email : '',
    schedule: chosen === 'off' ? null : { frequency: chosen, weekday, hour, timeZone },
    timeZone,
    language,
    wasHere: seen_at_ms > 0 || frequency !== '',
    alerts: role === 'owner' && alerts,
  }
}
