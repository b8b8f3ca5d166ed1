/**
 * A client that reads for an audience. `selectRows` and `streamRows` are the only way through it, so one place decides
 * what every page, export and answer may hold.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { everybody, toAudienceKey, type Audience } from './audience.ts'

export type SeenByOptions = {
  /** Asked at each statement; throws where nobody is known to ask. */
  audience: () => Audience
  /** Epoch ms. Default: the machine's clock. */
  clock?: () => number
}

type Seer = { client: ClickHouseClient; audience: () => Audience; people: PeopleCache; clock: () => number }
type PeopleCache = Map<string, { at: number; ids: Promise<string[]> }>

const seers = new WeakMap<ClickHouseClient, Seer>()

/** A manager has the people of today; who they are may be this old, and the lines they follow from older by `linesMaxAgeMs`. */
const maxAgeMs = 3_000
export const linesMaxAgeMs = 2_000

export function seenBy(client: ClickHouseClient, { audience, clock = Date.now }: SeenByOptions): ClickHouseClient {
  const guarded = new Proxy(client, {
    get(_, property) {
      // A promise that resolves to the client asks for this.
      if (property === 'then') return undefined
      throw new Error(`Statements for an audience run by selectRows or streamRows, not by client.${String(property)}`)
    },
  })
  seers.set(guarded, { client, audience, people: new Map(), clock })
  return guarded
}

/** The client to run a statement on, and its reader. A client without an audience is the product's own: it sees everything. */
export function toSeer(client: ClickHouseClient): { client: ClickHouseClient; audience: Audience } {
  const seer = seers.get(client)
  return seer === undefined ? { client, audience: everybody } : { client: seer.client, audience: seer.audience() }
}

/** The ids of the people that the audience sees; `null`: everybody. */
export async function readSeen(
  client: ClickHouseClient,
  read: (client: ClickHouseClient, audience: Exclude<Audience['people'], 'all'>, now: number) => Promise<string[]>,
): Promise<string[] | null> {
  const seer = seers.get(client)
  if (seer === undefined) return null
  const audience = seer.audience()
  if (audience.people === 'all') return null
  const key = toAudienceKey(audience)
  const now = seer.clock()
  for (const [each, { at }] of seer.people) if (Math.abs(now - at) > maxAgeMs) seer.people.delete(each)
  const known = seer.people.get(key)
  if (known !== undefined) return known.ids
  const ids = read(seer.client, audience.people, now)
  seer.people.set(key, { at: now, ids })
  ids.catch(() => seer.people.delete(key))
  return ids
}
