/** Whether a cluster fits the replicated tables: one shard, replicas with distinct names. */
import type { ClickHouseClient } from '@clickhouse/client'
import { selectRows } from '../statements.ts'
import { StartError } from '../../config/start-error.ts'

export async function checkCluster(client: ClickHouseClient, cluster: string): Promise<void> {
  const query = 'SELECT DISTINCT shard_num FROM system.clusters WHERE cluster = {cluster:String}'
  const shards = (await selectRows(client, query, { cluster })).length
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
  const named = await selectRows(client, `SELECT macro FROM system.macros WHERE macro = 'replica'`)
  if (named.length === 0)
    throw new StartError(
      `The replicas of ${cluster} need a macro "replica", different on each; docs/clickhouse.md shows how.`,
    )
}
