/** Who reads. Every statement of the reports takes one, so what a page, an export or an answer may hold is decided in one place. */
import type { ClickHouseClient } from '@clickhouse/client'
import { everybody, type Audience } from '../audience/audience.ts'
import type { FollowedMemory } from '../columns/memory.ts'

export type Reader = {
  readonly client: ClickHouseClient
  /** The store in memory. Left out: every answer is asked of the store. */
  readonly memory?: FollowedMemory | undefined
  /** Names of the attributes of people whose values pages offer to choose from. Default: none. */
  readonly attributes?: readonly string[] | undefined
  /** Asked at each statement; throws where nobody is known to ask. */
  audience(): Audience
  /** The ids of the people whom the audience sees; `null`: everybody. */
  seenIds(): Promise<readonly string[] | null>
}

/** The product itself sees everything. */
export function ownReader(client: ClickHouseClient, memory?: FollowedMemory): Reader {
  return { client, memory, audience: () => everybody, seenIds: async () => null }
}
