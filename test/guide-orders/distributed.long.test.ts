/** Apart from one another: dashboards that store an order in a ClickHouse over HTTP, and another process that carries it out. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '../../services/clickhouse/clickhouse.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openClickHouseServer } from '../../services/clickhouse/open-server.ts'
import { createGuideOrderRunner } from '../../services/guide-orders/runner.ts'
import { openGuideOrderWorker, type GuideOrderWorker } from '../../services/guide-orders/worker.ts'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { openTestClient } from '../registration/client.ts'
import { spawnChild, untilReady, type Child } from '../support/processes/child.ts'
import { openTestClickHouse, type TestClickHouse } from '../support/store/clickhouse-server.ts'
import { from, pullAll, to } from './office.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'

let server: TestClickHouse
let clickhouse: ClickHouse
let platform: Platform
let worker: GuideOrderWorker
let dashboards: Child
let url: string

beforeAll(async () => {
  server = await openTestClickHouse()
  clickhouse = await openClickHouseServer({ ...server, access: 'write' })
  await migrate(clickhouse.writer, { server: { cluster: undefined } })
  platform = await startPlatform({ seed: 'apart', from, to, people: 30 })
  await platform.pass(to)
  await pullAll(clickhouse, platform)
  const runner = createGuideOrderRunner({
    client: clickhouse.writer,
    platform: openTestClient(platform.baseUrl, 'platform-token'),
  })
  worker = openGuideOrderWorker({ runner, pollMs: 200, onError: (error) => console.error(error) })
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  dashboards = spawnChild('dashboards/main.ts', {
    CLICKHOUSE_URL: server.url,
    CLICKHOUSE_USER: server.username,
    CLICKHOUSE_PASSWORD: server.password,
    ASSIGN_GUIDES: 'on',
    DASHBOARD_PORT: String(port),
    ADMIN_PORT: String(await findFreePort()),
  })
  await untilReady(dashboards)
})
afterAll(async () => {
  await dashboards?.stop()
  await worker?.close()
  await platform?.close()
  await clickhouse?.close()
  await server?.stop()
})

test('an order is stored by the one and carried out by the other, and both see what came of it', async () => {
  const [guide] = platform.guides.list().slice(4)
  const userIds = platform.life.population.people
    .filter(({ isDeleted }) => !isDeleted)
    .slice(0, 4)
    .map(({ id }) => String(id))
  const body = JSON.stringify({ order_id: 'apart', guide_id: guide?.id, user_ids: userIds, asked_by: 'Ada' })
  const headers = { 'content-type': 'application/json' }
  const placed = await fetch(`${url}/api/guide-orders`, { method: 'POST', headers, body })
  expect([placed.status, await placed.json()]).toEqual([200, expect.objectContaining({ order_id: 'apart' })])
  const order = await until(
    async () => (await (await fetch(`${url}/api/guide-orders/apart`)).json()) as { done: boolean; counts: unknown },
    ({ done }) => done,
  )
  expect(order.counts).toEqual({ assigned: 4 })
  const given = platform.guides.assignmentsAt(platform.life.now()).filter(({ record }) => record.courseId === guide?.id)
  expect(given.map(({ person }) => String(person.id)).sort()).toEqual(userIds.sort())
  expect(await (await fetch(`${url}/assign/orders/apart`)).text()).toContain('4 assigned')
})
