/** Who reads. Every statement of the reports takes one, so the content of a page, an export or an answer is decided in one place. */
import type { ClickHouseClient } from '@clickhouse/client'
import { everybody, type Audience } from '../audience.ts'
import type { Question } from '../columns/answers.ts'
import type { FollowedMemory } from '../columns/memory.ts'

export type Reader = {
  readonly client: ClickHouseClient
  /** The store in memory. Left out: every answer is asked of the store. */
  readonly memory?: FollowedMemory | undefined
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
  return reader.memory?.hold({ ...question, request: reader.request?.() }) ?? question.read()
}

/** The product itself in the request of somebody: for what follows from more than they see, of which they are shown what they may. */
export function asOwn(asking: Reader): Reader {
  return { ...asking, ...ownReader(asking.client, asking.memory) }
}

/** The product itself sees everything. */
export function ownReader(client: ClickHouseClient, memory?: FollowedMemory): Reader {
  return { client, memory, audience: () => everybody, seenIds: async () => null }
}
