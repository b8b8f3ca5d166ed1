/** A store that takes nothing, behind the running consumer: half a minute of real time, therefore long. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { runCli } from '../support/processes/cli.ts'
import { createDistributed } from '../support/processes/distributed.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { monday, toBody } from '../support/data/records.ts'
import { until } from '../support/wait.ts'

const broker = await findBroker()

test.runIf(broker !== undefined)('a consumer that stores nothing is not ready, until it stores again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-stalled-'))
  const clickhouse = await openTestClickHouse()
  const distributed = await createDistributed({ directory, brokers: broker?.brokers ?? [], clickhouse })
  const client = createClient(clickhouse)
  try {
    const [consumer] = await Promise.all([distributed.startConsumer(), distributed.startIngest()])
    const dashboards = await distributed.startDashboards()
    const readPage = async (path: string) => (await fetch(`${dashboards.url}${path}`)).text()
    const readReadiness = async () => {
      const answer = await fetch(`${consumer.adminUrl}/health/ready`)
      const { reason } = (await answer.json()) as { reason?: string }
      return { status: answer.status, reason }
    }
    await client.command({ query: 'RENAME TABLE rollcall.names TO rollcall.elsewhere' })
    const headers = { 'content-type': 'application/json' }
    await fetch(distributed.ingestUrl, { method: 'POST', headers, body: toBody('Created', 'a', monday) })
    const stalled = await until(readReadiness, ({ status }) => status === 503)
    expect(stalled.reason).toMatch(/^Nothing was stored for \d+ s, and 1 delivery waits\. Last error: UNKNOWN_TABLE/)
    expect(await (await fetch(`${consumer.adminUrl}/metrics`)).text()).toMatch(
      /^rollcall_consumer_stalled_seconds [3-9]/m,
    )
    expect(consumer.output()).toContain('Nothing is stored although deliveries wait')
    for (const path of ['/setup', '/guides']) {
      await until(
        () => readPage(path),
        (page) => /since then 1 delivery waits\. The owner has been told why\./.test(page),
      )
    }
    const doctor = await runCli(['doctor', '--json'], distributed.env)
    expect(doctor.code).toBe(3)
    expect(doctor.out).toMatch(/"code": "stalled"[^}]*UNKNOWN_TABLE/)

    await client.command({ query: 'RENAME TABLE rollcall.elsewhere TO rollcall.names' })
    await until(readReadiness, ({ status }) => status === 200)
    expect(consumer.output()).toContain('Deliveries are stored again')
    await until(
      () => readPage('/setup'),
      (page) => !page.includes('The owner has been told'),
    )
  } finally {
    await client.close()
    await distributed.killAll()
    await clickhouse.stop()
    await rm(directory, { recursive: true, force: true })
  }
})
