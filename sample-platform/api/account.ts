/** The parts that the routes of the platform's API share: the company, the account's ways, and how answers are written. */
import type { Context } from 'hono'
import type { Guides } from '../company/guides.ts'
import type { Life } from '../company/life.ts'
import type { Person } from '../company/population.ts'
import { toEventUser } from '../company/record.ts'
import { type Dialect, parsePage } from './dialect.ts'

/** Endpoints that some accounts do not have: 404 there, but for webhook payloads, where the parameter is just not heard. */
export const optionalEndpoints = ['webhook_subscriptions', 'webhook_payloads', 'changed_assignments'] as const
export type OptionalEndpoint = (typeof optionalEndpoints)[number]

export type AccountOptions = {
  life: Life
  guides: Guides
  /** The platform's time: how far it has been lived. */
  now: () => number
  /** Default `paginated`. */
  dialect?: Dialect
  wire?: WireOptions
  /** Default none. */
  absent?: readonly OptionalEndpoint[]
  /** Pulled users carry their groups and managers as those inside events do. Default false, as documented. */
  userGroups?: boolean
}

export type Account = ReturnType<typeof createAccount>

const pages = { first: 1, size: 200, maxSize: 200 }

export function createAccount(options: AccountOptions) {
  const { life, guides, now, dialect = 'paginated', wire = {}, absent = [], userGroups = false } = options
  return {
    life,
    guides,
    now,
    dialect,
    absent,
    json: (context: Context, value: unknown, status: 200 | 201 = 200) =>
      context.json(toWire(value, wire) as object, status),
    toPulled: (person: Person, reports: readonly Person[]) => toUser(person, reports, userGroups),
    pageOf: (query: Record<string, string>) => parsePage(query['page'], query['per_page'], pages),
    findPerson: (id: string) => life.population.people.find((person) => String(person.id) === id),
  }
}

/** A pulled user says less than the one inside events, but for the reports: neither groups nor managers as a rule. */
function toUser(person: Person, reports: readonly Person[], withGroups: boolean) {
  const {
    groups,
    managers,
    customAttributes: _attributes,
    userIdentifiers: _identifiers,
    ...user
  } = toEventUser(person)
  return {
    ...user,
    directReports: reports.map(({ id, name, email }) => ({ id, name, email })),
    certifications: [],
    ...(withGroups && { groups, managers }),
  }
}

/** The forms of values on the wire of different platforms. They mean the same. */
type WireOptions = {
  /** Times in camelCase answers: whole milliseconds (default), with fractions, or ISO 8601. */
  timestamps?: 'whole' | 'fractional' | 'iso'
  /** User ids: JSON integers as on live platforms (default), or strings as the specification says. */
  ids?: 'integer' | 'string'
}

const timeNames = /(At|Date|timestamp)$/
const userIds = new Set(['userId', 'user_id', 'assignerId', 'assigner_id'])

function toWire(value: unknown, options: WireOptions): unknown {
  const { timestamps = 'whole', ids = 'integer' } = options
  if (timestamps === 'whole' && ids === 'integer') return value
  const form = (name: string, part: unknown): unknown => {
    if (typeof part === 'number' && timeNames.test(name)) return toTime(part, timestamps)
    // Only users' ids are numbers.
    if (typeof part === 'number' && (name === 'id' || userIds.has(name)) && ids === 'string')
      return String(part)
    return walk(part)
  }
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, form(name, inner)]))
  }
  return walk(value)
}

function toTime(ms: number, form: 'whole' | 'fractional' | 'iso'): number | string {
  if (form === 'iso') return new Date(ms).toISOString()
  // A fraction that a double holds exactly enough to be cut off again.
  return form === 'fractional' ? ms + 0.25 + (ms % 3) / 8 : ms
}
