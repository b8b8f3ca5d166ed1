import { createClient, type ClickHouseClient } from '@clickhouse/client'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { copyStore } from '../../services/cli/move/copy-store.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { fillDashboardState, readTablesAsText } from '../support/data/dashboard-state.ts'
import { toBuilt } from '../support/processes/built.ts'
import { childEnvironment } from '../support/processes/child.ts'
import { createDistributed } from '../support/processes/distributed.ts'
import { openTestClickHouse, type TestClickHouse } from '../support/store/clickhouse-server.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { readAssigned, deliver, startEmbedded } from '../support/processes/embedded.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { pickLong } from '../support/thorough.ts'
import { until } from '../support/wait.ts'
import { fileDirectory } from '../support/directories.ts'

const broker = await findBroker()
const asOf = new Date(monday + 30 * day).toISOString()

/** Left out of the comparison: everything that depends on when the question was asked. */
async function readMetrics(dashboardUrl: string): Promise<unknown> {
  const answer = await fetch(`${dashboardUrl}/api/metrics?as_of=${asOf}&include_leavers=true`)
  return ((await answer.json()) as { metrics: unknown }).metrics
}

describe('the copy', () => {
  /** Keeps what is written instead of storing it. */
  async function copyFrom({ writer, streamer }: TestStore) {
    const inserts: { table: string; columns: string[]; rows: unknown[][] }[] = []
    const target = {
      command: async () => {},
      query: async () => ({ text: async () => '["last"]' }),
      async insert({ table, columns, values }: { table: string; columns: string[]; values: unknown[][] }) {
        inserts.push({ table: table.replace('rollcall.', ''), columns, rows: values })
      },
    } as unknown as ClickHouseClient
    await copyStore({
      source: writer,
      sourceStreamer: streamer,
      target,
      isDone: () => false,
      markDone: () => {},
      report: () => {},
      signal: new AbortController().signal,
    })
    return (table: string) => inserts.filter((insert) => insert.table === table)
  }

  test('writes positions and large bodies in pieces, and every repeat of an event', async () => {
    const store = await openTestStore()
    onTestFinished(() => store.close())
    const fill = (query: string) => store.writer.command({ query: `INSERT INTO rollcall.${query}` })
    await fill(
      `log_positions SELECT 0, number, number + 1, now64(3), now64(3), [('main', now(), 1, 0, 0)] FROM numbers(50000)`,
    )
    await fill(`log_positions SELECT 0, 50000, 50000, now64(3), now64(3), []`)
    await fill(
      `event_bodies (event_id, received_at, body) SELECT generateUUIDv4(number), now64(3), repeat('x', 1000000) FROM numbers(40)`,
    )
    await fill(
      `repeat_rows SELECT toUUID('00000000-0000-0000-0000-000000000001'), now64(3), 'main', 0, number FROM numbers(3)`,
    )
    const written = await copyFrom(store)

    const positions = written('log_positions')
    expect(positions.map(({ rows }) => rows.length)).toEqual([20_000, 20_000, 10_000])
    expect(positions[0]?.columns).toContain('complete_through')
    const bodies = written('event_bodies').map(({ rows }) => rows.length)
    expect(bodies.reduce((sum, rows) => sum + rows, 0)).toBe(40)
    expect(Math.max(...bodies)).toBeLessThanOrEqual(12)
    // The place in the log tells repeats of one event apart.
    const [repeats] = written('repeat_rows')
    const offsetAt = repeats?.columns.indexOf('log_offset') ?? -1
    expect(repeats?.rows.map((row) => row[offsetAt])).toEqual(['0', '1', '2'])
  })
})

describe.skipIf(!broker)('moving to Kafka and ClickHouse', () => {
  const directory = fileDirectory()
  let clickhouse: TestClickHouse
  let before: unknown
  let state: Record<string, string[]>
  beforeAll(async () => {
    clickhouse = await openTestClickHouse()
    const embedded = await startEmbedded(directory)
    const send = (body: Uint8Array | string) => deliver(embedded.ingestUrl, body)
    for (let n = 0; n < 40; n++) {
      await send(toBody('Created', `a${n}`, monday + n * 60_000, {}, { id: n % 7, name: `Person ${n % 7} é` }))
      if (n % 2 === 0)
        await send(
          toBody('Completed', `a${n}`, monday + day + n, { isCompleted: true, passed: true, calculatedGrade: n }),
        )
    }
    await send(toBody('Deleted', 'a3', monday + 2 * day))
    for (let n = 0; n < 2; n++) await send(toBody('Deleted', 'a3', monday + 2 * day))
    // Failed, with bytes that are not text.
    await send(Buffer.from([0xff, 0x00, 0x7b]))
    // Some numbers are the same before the last ones are stored.
    const sentAt = new Date().toISOString()
    await until(
      async () => {
        const answer = await fetch(`${embedded.dashboardUrl}/api/metrics`)
        return ((await answer.json()) as { complete_through: string | null }).complete_through ?? ''
      },
      (completeThrough) => completeThrough >= sentAt,
    )
    before = await readMetrics(embedded.dashboardUrl)
    const form = (path: string, fields: Record<string, string>) =>
      fetch(`${embedded.dashboardUrl}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
    expect((await form('/views', { page: '/overdue', name: 'Late in spring' })).status).toBe(303)
    for (const args of [
      ['user', 'add', 'ada@example.com', '--role', 'analyst', '--names', '--no-password'],
      ['token', 'create', 'nightly', '--role', 'viewer'],
    ])
      expect(await runCliInside(args, { DATA_DIR: directory })).toMatchObject({ code: 0 })
    // Deliveries at the very end may still be in the log only.
    for (let n = 0; n < 20; n++) await send(toBody('Progress', `a${n}`, monday + 60 * day + n))
    await embedded.kill()
    const store = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
    const person = { userId: '3', name: 'Person 3 é', email: 'three@example.com' }
    const tables = await fillDashboardState(store.writer, person)
    state = await readTablesAsText(store.reader, tables)
    await store.close()
  })
  afterAll(async () => {
    await clickhouse.stop()
  })

  test('copies everything, also after kills during the copy, and later deliveries count once', async () => {
    if (broker === undefined) throw new Error('There is no broker')
    const distributed = await createDistributed({ directory, brokers: broker.brokers, clickhouse })
    const env = {
      DATA_DIR: directory,
      KAFKA_BROKERS: broker.brokers.join(','),
      KAFKA_TOPIC: distributed.topic,
      KAFKA_PARTITIONS: '3',
      KAFKA_REPLICATION_FACTOR: '1',
      KAFKA_MIN_INSYNC_REPLICAS: '1',
      CLICKHOUSE_URL: clickhouse.url,
      CLICKHOUSE_USER: clickhouse.username,
      CLICKHOUSE_PASSWORD: clickhouse.password,
    }
    // Killed while it copies, in a complete run at different tables.
    for (const table of pickLong(['closed_versions', 'user_versions'], 2, 1)) {
      const child = spawn(process.execPath, [toBuilt('services/cli/main.ts'), 'migrate-to-distributed'], {
        env: childEnvironment(env),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes(`Copying ${table}`)) child.kill('SIGKILL')
      })
      await once(child, 'exit')
      expect(said).toContain(`Copying ${table}`)
    }
    const begun = JSON.parse(readFileSync(join(directory, 'move.json'), 'utf8')) as { done: string[] }
    expect(begun.done.length).toBeGreaterThan(0)

    const run = await runCli(['migrate-to-distributed', '--json'], env)
    expect(run.code, run.err).toBe(0)
    const moved = JSON.parse(run.out) as { agreements: { what: string; agrees: boolean; source: number }[] }
    expect(moved.agreements.filter(({ agrees }) => !agrees)).toEqual([])
    expect(moved.agreements.find(({ what }) => what === 'view events')?.source).toBe(81)
    const repeats = moved.agreements.find(({ what }) => what === 'repeats')
    expect(repeats).toMatchObject({ agrees: true, source: 2 })
    for (const table of [
      'access_people',
      'access_tokens',
      'access_views',
      'access_targets',
      'access_notes',
      'digest_subscriptions',
      'digest_opt_outs',
      'alert_states',
    ]) {
      const source = state[table]?.length
      expect(moved.agreements.find(({ what }) => what === `table ${table}`)).toMatchObject({ agrees: true, source })
    }
    for (const view of contractViews.filter((name) => !name.startsWith('assignments'))) {
      expect(moved.agreements.find(({ what }) => what === `view ${view}`)).toMatchObject({ agrees: true })
    }
    const target = createClient(clickhouse)
    expect(await readTablesAsText(target, Object.keys(state))).toEqual(state)
    await target.close()
    // Once more: nothing is left to do, and all still agrees.
    expect(JSON.parse((await runCli(['migrate-to-distributed', '--json'], env)).out)).toMatchObject({
      rows: 0,
      outcome: 'done',
    })

    const consumer = await distributed.startConsumer()
    const dashboards = await distributed.startDashboards()
    expect(await readMetrics(dashboards.url)).toEqual(before)
    expect(await (await fetch(`${dashboards.url}/views`)).text()).toContain('Late in spring')
    const ingest = await distributed.startIngest()
    const send = async (body: Uint8Array) => deliver(distributed.ingestUrl, body)
    // One that was there before, and one that is new.
    await send(toBody('Created', 'a1', monday + 60_000, {}, { id: 1, name: 'Person 1 é' }))
    await send(toBody('Created', 'new', monday + 40 * day))
    const count = () => readAssigned(dashboards.url)
    expect(await until(count, (assigned) => assigned === 40)).toBe(40)
    expect(await readMetrics(dashboards.url)).toEqual(before)
    // The repeat is a repeat in the ledger, and the whole adds up.
    const readLedger = async () => {
      const { out } = await runCliInside(['ledger', '--hours', '999999', '--json'], env)
      return (JSON.parse(out) as { total: { given: number; repeated: number; difference: number } }).total
    }
    // In another partition, the repeat may be stored after the new one.
    const total = await until(readLedger, ({ repeated }) => repeated === 3)
    expect(total).toMatchObject({ given: 86, difference: 0 })
    // Records that Kafka has can be stored once more; that changes nothing either.
    const replayed = await runCliInside(['replay', '--from-log', '--json'], env)
    expect(JSON.parse(replayed.out)).toMatchObject({ records: 2, events: 2 })
    expect(await readMetrics(dashboards.url)).toEqual(before)
    expect(await count()).toBe(40)
    const doctor = await runCliInside(['doctor', '--json'], env)
    const codes = (JSON.parse(doctor.out) as { findings: { code: string }[] }).findings.map(({ code }) => code)
    for (const code of ['topic_unsafe', 'unbalanced_rows', 'ledger_difference', 'behind', 'not_synced', 'no_token']) {
      expect(codes).not.toContain(code)
    }
    const strict = { KAFKA_REPLICATION_FACTOR: '3', KAFKA_MIN_INSYNC_REPLICAS: '2' }
    const unsafe = await runCliInside(['doctor', '--json'], { ...env, ...strict })
    expect(unsafe.out).toContain('topic_unsafe')
    expect(unsafe.code).toBe(3)
    // From now on the target is somebody else's.
    expect((await runCli(['migrate-to-distributed'], env)).err).toContain('Consumers have stored events')
    for (const child of [ingest, consumer, dashboards]) await child.stop()
  })
})
