/** A reader for an audience: whose people they see is asked of the store, and kept for a moment. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { FollowedMemory } from '../columns/memory.ts'
import { readReporting, underAnyOf, type Reporting } from '../queries/reporting-lines.ts'
import { ownReader, type Reader } from '../read/reader.ts'
import { instant, list, sql } from '../read/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { toAudienceKey, type Audience, type PeopleSeen } from './audience.ts'

export type ReadForOptions = {
  /** Asked at each statement; throws where nobody is known to ask. */
  audience: () => Audience
  /** As of a reader. */
  memory?: FollowedMemory | undefined
  /** As of a reader. */
  attributes?: readonly string[] | undefined
  clock?: () => number
}

/** A manager has the people of today; who they are may be this old, and the lines they follow from older by `linesMaxAgeMs`. */
const maxAgeMs = 3_000
const linesMaxAgeMs = 2_000

export function readFor(
  client: ClickHouseClient,
  { audience, memory, attributes, clock = Date.now }: ReadForOptions,
): Reader {
  const people = new Map<string, { at: number; ids: Promise<string[]> }>()
  return {
    client,
    memory,
    attributes,
    audience,
    async seenIds() {
      const asking = audience()
      if (asking.people === 'all') return null
      const key = toAudienceKey(asking)
      const now = clock()
      for (const [each, { at }] of people) if (Math.abs(now - at) > maxAgeMs) people.delete(each)
      const known = people.get(key)
      if (known !== undefined) return known.ids
      const ids = readPeopleSeen(client, asking.people, now)
      people.set(key, { at: now, ids })
      ids.catch(() => people.delete(key))
      return ids
    },
  }
}

/** Who reports to whom today, read once for all readers of a store: they are many when digests go out. */
const linesOfToday = new WeakMap<ClickHouseClient, { at: number; lines: Promise<Reporting> }>()

function readLinesOfToday(client: ClickHouseClient, now: number): Promise<Reporting> {
  const held = linesOfToday.get(client)
  if (held !== undefined && Math.abs(now - held.at) <= linesMaxAgeMs) return held.lines
  const lines = readReporting(client, { asOf: now, now })
  const entry = { at: now, lines }
  linesOfToday.set(client, entry)
  lines.catch(() => linesOfToday.get(client) === entry && linesOfToday.delete(client))
  return lines
}

async function readPeopleSeen(client: ClickHouseClient, people: PeopleSeen, now: number): Promise<string[]> {
  const [lines, members] = await Promise.all([
    people.under.length === 0 ? null : readLinesOfToday(client, now),
    people.teams.length + people.teamsOf.length === 0 ? [] : select(ownReader(client), teamPeople, { ...people, now }),
  ])
  const inTeams = memberSchema.parse(members).map(({ user_id }) => user_id)
  const under = lines === null ? [] : underAnyOf(lines, people.under)
  return [...new Set([...under, ...inTeams])]
}

/** Who is in one of the teams, or in a team of one of the people, today; leavers included. */
const teamPeople: Statement<PeopleSeen & { now: number }> = {
  name: 'team-people',
  about: 'everybody',
  text: ({ teams, teamsOf, now }) => sql`WITH
    people AS (SELECT user_id, teams FROM rollcall.people_at(as_of = ${instant(now)}, now = ${instant(now)})),
    (SELECT groupUniqArrayArray(teams) FROM people WHERE user_id IN ${list('String', teamsOf)}) AS shared
SELECT user_id
FROM people
WHERE user_id != '' AND user_id NOT IN ${list('String', teamsOf)} AND hasAny(teams, arrayConcat(${list('String', teams)}, shared))`,
}

const memberSchema = z.array(z.object({ user_id: z.string() }))
