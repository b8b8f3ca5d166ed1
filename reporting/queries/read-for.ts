/** A reader for an audience: whose people they see is asked of the store, and kept for a moment. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { FollowedMemory } from '../columns/follow.ts'
import { readReporting, underAnyOf } from '../statements/reporting-lines.ts'
import { ownReader, type Reader } from '../read/reader.ts'
import { instant, list, sql } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { toAudienceKey, type Audience, type PeopleSeen } from '../audience.ts'

type ReadForOptions = {
  /** Asked at each statement; throws where nobody is known to ask. */
  audience: () => Audience
  memory?: FollowedMemory | undefined
  attributes?: readonly string[] | undefined
  request?: () => object
  clock?: () => number
}

/** A manager has the people of today; who they are may be this old. */
const maxAgeMs = 3_000

export function readFor(
  client: ClickHouseClient,
  { audience, memory, attributes, request, clock = Date.now }: ReadForOptions,
): Reader {
  const people = new Map<string, { at: number; ids: Promise<string[]> }>()
  const product = { ...ownReader(client, memory), ...(request && { request }) }
  return {
    ...product,
    attributes,
    audience,
    async seenIds() {
      const asking = audience()
      if (asking.people === 'all') return null
      const key = toAudienceKey(asking)
      const now = clock()
      for (const [each, { at }] of people) if (Math.abs(now - at) > maxAgeMs) people.delete(each)
      const last = people.get(key)
      if (last !== undefined) return last.ids
      const ids = readPeopleSeen(product, asking.people, now)
      people.set(key, { at: now, ids })
      ids.catch(() => people.delete(key))
      return ids
    },
  }
}

async function readPeopleSeen(reader: Reader, people: PeopleSeen, now: number): Promise<string[]> {
  const [lines, members] = await Promise.all([
    people.under.length === 0 ? null : readReporting(reader, { asOf: now, now }),
    people.teams.length + people.teamsOf.length === 0 ? [] : select(reader, teamPeople, { ...people, now }),
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
