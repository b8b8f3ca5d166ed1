/** Reminders to people whose work is overdue: who would get one, who asked for them, and their outcome. */
import { randomBytes } from 'node:crypto'
import { isAddress } from '../services/config/values/address.ts'
import type { Visitor } from '../services/access/visitor.ts'
import { currentReading } from '../language/language.ts'
import { holdAnswer, type Reader } from '../reporting/read/reader.ts'
import { toStartOfHour } from '../schemas/instant.ts'
import { toLocalDate } from '../schemas/metrics/calendar.ts'
import { reachedStates, type DigestStore, type Reminder } from './digest-store.ts'
import type { Members } from './members.ts'
import { isUnderWay, triedMs } from './sending/send-reminders.ts'

/** The plan for a person to be reminded: `send`, or the reason against it. */
export type Plan = 'send' | 'recent' | 'tried' | 'opted_out' | 'no_address' | 'left'

export type RemindersDeps = {
  store: DigestStore
  /** Holds the last reminders that were asked for. */
  reader: Reader
  members: Members
  /** REMIND, where there is a mail server. */
  canSend: boolean
  remind?: { everyDays: number }
  settings: { timeZone: string }
  clock: () => number
  wake?: () => void
}

const dayMs = 86_400_000
const shownMs = 90 * dayMs

export function createReminders(deps: RemindersDeps) {
  const { store, reader, members, canSend, settings, clock } = deps
  const everyDays = deps.remind?.everyDays ?? 1
  const today = () => toLocalDate(settings.timeZone, clock())

  const isReached = ({ state }: Reminder) => reachedStates.includes(state)
  /** Whether it is too early for another one. */
  const isRecent = (reminder: Reminder) =>
    isUnderWay(reminder, clock()) ||
    (isReached(reminder) && (reminder.day === today() || reminder.at_ms > clock() - everyDays * dayMs))

  /** The person of a link in a mail. */
  const findPerson = async (key: string) => (key === '' ? undefined : store.findReminded(key))

  return {
    canSend,
    everyDays,

    /** The newest reminder that each of these people has, may have, or is about to get. */
    async lastOf(users: readonly string[]): Promise<Map<string, Reminder>> {
      if (users.length === 0) return new Map()
      const fromMs = toStartOfHour(clock() - shownMs)
      const all = await holdAnswer(reader, {
        text: JSON.stringify(['reminders', fromMs, users]),
        of: ['records'],
        read: () => store.readReminders({ fromMs, users }),
      })
      const last = all.filter((each) => isReached(each) || isUnderWay(each, clock())).toReversed()
      return new Map(last.map((each) => [each.user_id, each]))
    },

    async plan(people: readonly { user_id: string; email: string }[]): Promise<Map<string, Plan>> {
      const users = people.map(({ user_id }) => user_id)
      const [all, departures, optedOut] = await Promise.all([
        store.readReminders({ fromMs: clock() - everyDays * dayMs - triedMs, users }),
        store.readLeft(users, clock()),
        store.readOptedOut(users),
      ])
      const recent = new Set(all.filter(isRecent).map(({ user_id }) => user_id))
      // One that has ended without a mail: a second one of a day would be the same one.
      const tried = new Set(all.filter(({ day }) => day === today()).map(({ user_id }) => user_id))
      const toPlan = ({ user_id, email }: (typeof people)[number]): Plan => {
        if (departures.has(user_id)) return 'left'
        if (optedOut.has(user_id)) return 'opted_out'
        if (!isAddress(email)) return 'no_address'
        if (recent.has(user_id)) return 'recent'
        return tried.has(user_id) ? 'tried' : 'send'
      }
      return new Map(people.map((person) => [person.user_id, toPlan(person)]))
    },

    /** Durable when it resolves; they are sent soon after. `users`: those whose plan is to send. */
    async ask(visitor: Visitor, users: readonly string[]): Promise<void> {
      const { login } = visitor
      // The claim of the sign-in is known from visits only, and no one is here when the mail is made.
      await members.keyOf(login)
      await members.note(visitor)
      const { language } = currentReading()
      const shared = { day: today(), asked_by: login, asked_at_ms: clock(), language }
      const toKey = () => randomBytes(24).toString('base64url')
      await store.writeReminders(users.map((user_id) => ({ user_id, ...shared, unsubscribe_key: toKey() })))
      deps.wake?.()
    },

    /** Whether the person of a link in a mail gets reminders; `undefined`: an unknown link. */
    async isOn(key: string): Promise<boolean | undefined> {
      const userId = await findPerson(key)
      return userId === undefined ? undefined : (await store.readOptedOut([userId])).size === 0
    },

    /** Whether the key is known. Needs no sign-in: anyone who has the mail may end, or begin again, what it belongs to. */
    async turn(key: string, isOn: boolean): Promise<boolean> {
      const userId = await findPerson(key)
      if (userId === undefined) return false
      await store.writeOptOut(userId, !isOn)
      return true
    },
  }
}
