/** Carries out an order in a process of its own, which may be killed: node order-child.ts '{"store", "baseUrl", "guideId", "userIds"}'. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { openClickHouseServer } from '../../services/clickhouse/open-server.ts'
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import { createGuideOrderRunner } from '../../services/guide-orders/runner.ts'
import { openTestClient } from '../registration/client.ts'
import { never, toRequest } from './office.ts'

export type Task = {
  store: { directory: string } | { url: string; username: string; password: string }
  baseUrl: string
  guideId: string
  userIds: string[]
  /** Whether it waits for a message of its parent before it writes its first claim. */
  pauses?: boolean
}
export const orderId = 'the-order'

/** Returns how many people have which outcome. */
export async function carryOut({ store, baseUrl, guideId, userIds, pauses = false }: Task) {
  const clickhouse =
    'directory' in store
      ? await openEmbeddedClickHouse(store)
      : await openClickHouseServer({ ...store, access: 'write' })
  const client = pauses ? pauseBeforeClaim(clickhouse.writer) : clickhouse.writer
  const orders = createGuideOrders({ client })
  await orders.place(toRequest(guideId, { orderId, userIds }))
  const platform = openTestClient(baseUrl, 'platform-token', { timeoutMs: 60_000 })
  const runner = createGuideOrderRunner({ client, platform })
  while ((await runner.run(never)).rest > 0) await sleep(50)
  const order = await orders.get(orderId)
  await platform.close()
  await clickhouse.close()
  return order?.counts
}

function pauseBeforeClaim(client: ClickHouseClient): ClickHouseClient {
  let hasPaused = false
  const command: ClickHouseClient['command'] = async (params) => {
    if (!hasPaused && JSON.stringify(params.query_params ?? {}).includes('intended')) {
      hasPaused = true
      process.send?.('about to claim')
      await once(process, 'message')
    }
    return client.command(params)
  }
  return Object.assign(Object.create(client) as ClickHouseClient, { command })
}

if (import.meta.main) {
  await carryOut(JSON.parse(process.argv[2] ?? '') as Task)
  if (process.connected) process.disconnect()
}
