/** Whether a cluster fits the replicated tables: one shard, replicas with distinct names. */
import type { ClickHouseClient } from '@clickhouse/client'
import { StartError } from '../../config/start-error.ts'

export async function checkCluster(client: ClickHouseClient, cluster: string): Promise<void> {
  const shards = await countOf(
    client,
    'SELECT uniqExact(shard_num) AS n FROM system.clusters WHERE cluster = {cluster:String}',
    cluster,
  )
  if (shards === 0) {
    throw new StartError(
      `ClickHouse knows no cluster ${cluster}. Set CLICKHOUSE_CLUSTER to one of system.clusters, or leave it out.`,
    )
  }
  if (shards > 1) {
    throw new StartError(
      `The cluster ${cluster} has ${shards} shards; Rollcall needs one, in which every replica holds everything. ` +
        'Define a cluster with all nodes as replicas of one shard; docs/clickhouse.md shows one.',
    )
  }
  const named = await countOf(client, `SELECT count() AS n FROM system.macros WHERE macro = 'replica'`, cluster)
  if (named === 0)
    throw new StartError(
      `The replicas of ${cluster} need a macro "replica", different on each; docs/clickhouse.md shows how.`,
    )
}

async function countOf(client: ClickHouseClient, query: string, cluster: string): Promise<number> {
  const answer = await client.query({ query, query_params: { cluster }, format: 'JSONEachRow' })
  const [row] = await answer.json<{ n: string | number }>()
  return Number(row?.n ?? 0)
}
