/** Who reads. Every statement of the reports takes one, so the content of a page, an export or an answer is decided in one place. */
import type { ClickHouseClient } from '@clickhouse/client'
import { everybody, type Audience } from '../audience.ts'
import type { Question } from '../columns/answers.ts'
import { createMemory, type FollowedMemory } from '../columns/follow.ts'
import { openSource } from '../columns/source.ts'

export type Reader = {
  readonly client: ClickHouseClient
  /** Where rows of assignments come from: held in memory, or read for each question. */
  readonly memory: FollowedMemory
  /** Names of the attributes of people whose values pages offer to choose from. Default: none. */
  readonly attributes?: readonly string[] | undefined
  /** The asker: the same object for all questions of a page. Left out: each question is one of its own. */
  request?(): object
  /** Asked at each statement; throws where nobody is known to ask. */
  audience(): Audience
  /** The ids of the people whom the audience sees; `null`: everybody. */
  seenIds(): Promise<readonly string[] | null>
}

/** The answer to a question, held where answers are. */
export function holdAnswer<Row>(reader: Reader, question: Omit<Question<Row>, 'request'>): Promise<Row[]> {
  return reader.memory.hold({ ...question, request: reader.request?.() })
}

/** The product itself in the request of somebody: for what follows from more than they see, of which they are shown what they may. */
export function asOwn(asking: Reader): Reader {
  return { ...asking, ...ownReader(asking.client, asking.memory) }
}

/** The product itself sees everything. `memory`: defaults to none that is held. */
export function ownReader(client: ClickHouseClient, memory = openUnheld(client)): Reader {
  return { client, memory, audience: () => everybody, seenIds: async () => null }
}

/** Rows are read for each question. */
const openUnheld = (client: ClickHouseClient): FollowedMemory =>
  createMemory(openSource(client), { mostVersions: 0 })
