/** A process that carries out the orders of a store until it is killed: argv is the store's directory and the API's address. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import { createGuideOrderRunner } from '../../services/guide-orders/runner.ts'
import { openGuideOrderWorker } from '../../services/guide-orders/worker.ts'
import { toGuideRow } from '../../services/sync/pull/guide-rows.ts'
import { openTestClient } from '../registration/client.ts'

const [directory = '', baseUrl = '', orderId = '', guideId = '', ...userIds] = process.argv.slice(2)
const clickhouse = await openEmbeddedClickHouse({ directory })
await clickhouse.writer.insert({
  table: 'rollcall.guide_rows',
  values: [toGuideRow({ id: guideId, title: 'A guide' }, Date.now(), new Map())],
  format: 'JSONEachRow',
})
const platform = openTestClient(baseUrl, 'platform-token', { timeoutMs: 60_000 })
const runner = createGuideOrderRunner({ client: clickhouse.writer, platform, settleMs: 300 })
const orders = createGuideOrders({ client: clickhouse.writer })
const placed = await orders.place({
  orderId,
  guideId,
  userIds,
  dueDateMs: null,
  again: false,
  askedBy: 'child',
  reason: '',
})
process.stdout.write(`${JSON.stringify(placed)}\n`)
openGuideOrderWorker({ runner, pollMs: 300, onError: (error) => process.stderr.write(`${String(error)}\n`) })
let order = await orders.get(orderId)
// Each look is a statement, which takes processor time from the orders.
for (; order?.isDone !== true; order = await orders.get(orderId)) await sleep(300)
process.stdout.write(`DONE ${JSON.stringify(order.counts)}\n`)
