/**
 * The audit for leaks of the product run apart: ingest, consumer and dashboards as processes on a real broker, with every server
 * going away in the middle. Their logs, metrics and answers have nothing of a person, and no token.
 */
import { createClient, type ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMetric, type Child } from '../support/processes/child.ts'
import { openTestClickHouse, type TestClickHouse } from '../support/store/clickhouse-server.ts'
import { runCli } from '../support/processes/cli.ts'
import { createDistributed, type Distributed } from '../support/processes/distributed.ts'
import { canOpenOwnBroker, openOwnBroker, type OwnBroker } from '../support/kafka/broker.ts'
import { marker } from '../support/data/markers.ts'
import { openProxy, type Proxy } from '../support/network/proxy.ts'
import { isComplete } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { createAudit, platformToken, toEvent } from './audit.ts'
import { fileDirectory } from '../support/directories.ts'

describe.skipIf(!canOpenOwnBroker())('the product run apart', () => {
  const directory = fileDirectory()
  let broker: OwnBroker
  let clickhouse: TestClickHouse
  let proxy: Proxy
  let client: ClickHouseClient
  let distributed: Distributed
  const children: [string, Child][] = []

  beforeAll(async () => {
    broker = await openOwnBroker()
    clickhouse = await openTestClickHouse({ isMigrated: true })
    client = createClient(clickhouse)
    proxy = await openProxy(clickhouse.url)
    distributed = await createDistributed({
      directory,
      brokers: broker.brokers,
      clickhouse: { ...clickhouse, url: proxy.url },
      env: {
        LOG_LEVEL: 'debug',
        PLATFORM_URL: 'http://127.0.0.1:9',
        PLATFORM_TOKEN: platformToken,
        KAFKA_SESSION_TIMEOUT_MS: '6000',
      },
    })
  })
  afterAll(async () => {
    await distributed?.killAll()
    await client?.close()
    await proxy?.close()
    await clickhouse?.stop()
    await broker?.dispose()
  })

  async function start<Started extends Child>(name: string, starting: Promise<Started>): Promise<Started> {
    const child = await starting
    children.push([name, child])
    return child
  }

  test('shows nothing of a person and no token, in no log, metric or answer, also while its servers are away', async () => {
    const consumer = await start('consumer', distributed.startConsumer())
    const ingest = await start('ingest', distributed.startIngest())
    const dashboards = await start('dashboards', distributed.startDashboards())
    const audit = createAudit(() => distributed.ingestUrl)
    const describe = () => children.map(([name, child]) => `${name}:\n${child.output()}`).join('\n')
    const untilMetric = async (child: Child, name: string, fits: (value: number) => boolean) =>
      until(() => readMetric(child, name), fits, { describe })
    const readAll = async () => {
      for (const [name, { adminUrl }] of children) {
        if (name.startsWith('killed')) continue
        for (const path of ['/metrics', '/health/ready', '/health/live', '/spool', '/nowhere'])
          await audit.read(`${adminUrl}${path}`)
      }
      // The other pages show people to those who may see them.
      for (const path of ['/health', '/api/metrics', '/api/openapi.json', '/health/ready', '/nowhere'])
        await audit.read(`${dashboards.url}${path}`)
    }

    // Refused rows, whose errors quote all of their values.
    for (const [table, condition] of [
      ['user_observations', `not startsWith(name, '${marker.name}')`],
      ['names', `name != '${marker.title}'`],
    ] as const) {
      await client.command({
        query: `ALTER TABLE rollcall.${table} ADD CONSTRAINT never_these CHECK ${condition}`,
      })
    }
    expect(await audit.send('an event', toEvent('a1'))).toBe(200)
    await audit.sendBrokenDeliveries()
    await until(() => /not_storable|it is kept as a failed event/.test(consumer.output()), Boolean, {
      describe,
    })
    await readAll()
    for (const table of ['user_observations', 'names'])
      await client.command({ query: `ALTER TABLE rollcall.${table} DROP CONSTRAINT never_these` })

    // ClickHouse away, then back with inserts that break before and after they are done.
    await proxy.refuse()
    for (let at = 0; at < 20; at++) expect(await audit.send('an event', toEvent(`b${at}`))).toBe(200)
    await until(() => /could not be stored; it will be delivered again/.test(consumer.output()), Boolean, {
      describe,
    })
    await readAll()
    let cuts = 0
    proxy.onInsert = () => (cuts++ < 4 ? (cuts % 2 === 0 ? 'after' : 'before') : undefined)
    await proxy.accept()
    await until(() => cuts >= 4, Boolean, { describe })

    // The broker away: the spool takes what comes, also what is broken.
    await broker.kill()
    for (let at = 0; at < 20; at++) expect(await audit.send('an event', toEvent(`c${at}`))).toBe(200)
    await audit.sendBrokenDeliveries()
    expect(await readMetric(ingest, 'rollcall_spool_records')).toBeGreaterThan(0)
    await readAll()
    await broker.startAgain()
    await untilMetric(ingest, 'rollcall_spool_records', (records) => records === 0)

    // A consumer that dies, and another that begins where it stopped.
    await consumer.kill()
    children[0] = ['killed consumer', consumer]
    const second = await start('second consumer', distributed.startConsumer())
    const countStored = async () => {
      const query = `SELECT toUInt32(count()) AS n FROM rollcall.events WHERE match(assignment_id, '^[bc][0-9]+$')`
      return (await (await client.query({ query, format: 'JSONEachRow' })).json<{ n: number }>())[0]?.n
    }
    await until(countStored, (stored) => stored === 40, { describe })
    await untilMetric(second, 'rollcall_consumer_lag_records', (records) => records === 0)
    await readAll()
    const env = { ...distributed.env, INGEST_TOKENS: 'main=another-token-of-no-process-0123456789abcdef' }
    // Between its rounds an erasure waits 30 s for batches that other processes have begun, then for old files of the store.
    const erasures = isComplete ? [['erase', '--user', '4711', '--yes']] : []
    for (const words of [['doctor'], ['ledger'], ...erasures, ['erase', '--user', marker.name]]) {
      const { out, err } = await runCli(words, env)
      // The words that the caller has typed are theirs.
      audit.note(
        `rollcall ${words[0]}`,
        `${out}\n${err}`.replaceAll(words.includes(marker.name) ? marker.name : '\0', ''),
      )
    }
    await readAll()
    const query = 'SELECT reasons, problems FROM rollcall.failed_events'
    audit.note('failed events', await (await client.query({ query, format: 'JSONEachRow' })).text())
    for (const [name, child] of children) {
      if (!name.startsWith('killed')) expect(await child.stop(), child.output()).toBe(0)
      audit.note(`log of ${name}`, child.output())
      expect(child.output().length).toBeGreaterThan(100)
    }
    audit.expectNothingLeaked()
  })
})
