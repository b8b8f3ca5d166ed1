/** Carries out an order of a store, until its process is killed: node order-child.ts '{"directory", "baseUrl", "guideId", "userIds"}'. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import { createGuideOrderRunner } from '../../services/guide-orders/runner.ts'
import { toOrdersTask } from '../../services/guide-orders/orders-task.ts'
import { openRunner } from '../../services/runtime/runner.ts'
import { toGuideRow } from '../../services/sync/pull/guide-rows.ts'
import { openTestClient } from '../registration/client.ts'

export type Task = { directory: string; baseUrl: string; guideId: string; userIds: string[] }
export const orderId = 'the-order'

/** Returns how many people have come to what. */
export async function carryOut({ directory, baseUrl, guideId, userIds }: Task) {
  const clickhouse = await openEmbeddedClickHouse({ directory })
  await clickhouse.writer.insert({
    table: 'rollcall.guide_rows',
    values: [toGuideRow({ id: guideId, title: 'A guide' }, Date.now(), new Map())],
    format: 'JSONEachRow',
  })
  const platform = openTestClient(baseUrl, 'platform-token', { timeoutMs: 60_000 })
  const runner = createGuideOrderRunner({ client: clickhouse.writer, platform, settleMs: 300 })
  const orders = createGuideOrders({ client: clickhouse.writer })
  await orders.place({
    orderId,
    guideId,
    userIds,
    dueDateMs: null,
    again: false,
    askedBy: 'child',
    reason: '',
  })
  const onError = (error: unknown) => process.stderr.write(`${String(error)}\n`)
  const worker = openRunner({ tasks: [toOrdersTask(runner, 300)], onError })
  let order = await orders.get(orderId)
  // Each look is a statement, which takes processor time from the orders.
  for (; order?.isDone !== true; order = await orders.get(orderId)) await sleep(300)
  await worker.close()
  await clickhouse.close()
  return order.counts
}

if (import.meta.main) await carryOut(JSON.parse(process.argv[2] ?? '') as Task)
