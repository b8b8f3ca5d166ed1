/**
 * The writer's look-ups must see its own inserts, so a cluster is written through one replica. When a load balancer or a
 * failover brings another replica, it first fetches all rows of the other replicas, and the look-up is repeated.
 */
import type { ClickHouseClient } from '@clickhouse/client'

const serverNameHeader = 'x-clickhouse-server-display-name'

/** The same client; its `query` answers from a replica that is known to be complete. */
export function withReplicaGuard(client: ClickHouseClient): ClickHouseClient {
  const { query } = client
  let complete: string | undefined

  async function catchUp(): Promise<void> {
    const answer = await query.call(client, {
      query: `SELECT table FROM system.replicas WHERE database = 'rollcall'`,
      format: 'JSONEachRow',
    })
    const names = new Set([toName(answer.response_headers)])
    for (const { table } of (await answer.json()) as { table: string }[]) {
      // LIGHTWEIGHT: waits for fetches, not for merges.
      const { response_headers } = await client.command({
        query: 'SYSTEM SYNC REPLICA rollcall.{table:Identifier} LIGHTWEIGHT',
        query_params: { table },
      })
      names.add(toName(response_headers))
    }
    complete = names.size === 1 ? [...names][0] : undefined
  }

  client.query = (async (params: Parameters<typeof query>[0]) => {
    // Three changes within one look-up: every request is balanced, which cannot work.
    for (let tries = 0; tries < 3; tries++) {
      const answer = await query.call(client, params)
      const name = toName(answer.response_headers)
      if (complete === name) return answer
      answer.close()
      complete = undefined
      await catchUp()
    }
    throw new ReplicaChangedError()
  }) as typeof client.query
  return client
}

/** Requests of one writer alternate between replicas. */
export class ReplicaChangedError extends Error {
  override readonly name = 'ReplicaChangedError'
  readonly code = 'REPLICA_CHANGED'
  constructor() {
    super(
      'CLICKHOUSE_URL leads to another replica at every request. Name one replica, or balance by first available.',
    )
  }
}

function toName(headers: Record<string, string | string[] | undefined>): string {
  const name = headers[serverNameHeader]
  return Array.isArray(name) ? (name[0] ?? '') : (name ?? '')
}
