import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runChecks, type Finding } from '../../services/cli/doctor/check.ts'
import {
  processChecks,
  readProcessFacts,
  type ProcessFacts,
} from '../../services/cli/doctor/checks-of-process.ts'
import {
  platformChecks,
  progressChecks,
  storeChecks,
  toAttributeLines,
  type PlatformFacts,
} from '../../services/cli/doctor/checks-of-store.ts'
import { select } from '../../services/cli/statements.ts'
import { StoreError } from '../../services/clickhouse/errors/store-error.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { createFailureMemory, toProgress, type Progress } from '../../services/watch/watch-progress.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { parseConfig, type Config } from '../../services/config/config.ts'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { openTestClient } from '../registration/client.ts'
import { runCli } from '../support/processes/cli.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { testDirectory } from '../support/directories.ts'

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

function toConfig(env: Record<string, string> = {}): Config {
  const parsed = parseConfig({ DATA_DIR: directory, ...env })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return parsed.config
}
const toCodes = (findings: Finding[]) => findings.map(({ code, severity }) => `${code} ${severity}`)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('settings and disk', () => {
  const good = { TIME_ZONE: 'Europe/Berlin', PLATFORM_URL: 'https://lms.example.com', PLATFORM_TOKEN: 't' }
  const open = { ...good, HOST: '0.0.0.0', PUBLIC_INGEST_URL: 'https://hooks.example.com' }
  const kafka = { HOST: '0.0.0.0', KAFKA_BROKERS: 'kafka:9092' }
  const store = { ...good, HOST: '0.0.0.0', CLICKHOUSE_URL: 'http://clickhouse:8123' }
  const inContainer = { isContainer: true }
  const disk = { path: '/data', type: 0xef53, freeBytes: 50 * 1024 ** 3 }
  const check = async (env: Record<string, string> = good, facts: Partial<ProcessFacts> = {}) => {
    const read = readProcessFacts(toConfig(env))
    const usual = { env, liveTokens: 1, isContainer: false, disk }
    return toCodes(await runChecks(processChecks, { ...read, ...usual, ...facts }))
  }

  test.each<[string, Record<string, string>, Partial<ProcessFacts>, string[]]>([
    ['good settings', good, {}, []],
    ['a TLS address', { ...good, PUBLIC_INGEST_URL: 'https://hooks.example.com' }, {}, []],
    ['a local proxy without TLS', { ...good, PUBLIC_INGEST_URL: 'http://localhost:8080' }, {}, []],
    ['no token', good, { liveTokens: 0 }, ['no_token problem']],
    ['a misspelt name', { ...good, DASHBORD_PORT: '3001' }, {}, ['unknown_setting warning']],
    ['a removed setting', { ...good, SPOOL_DIR: '/spool' }, {}, ['unknown_setting warning']],
    ['no TLS', { ...good, PUBLIC_INGEST_URL: 'http://hooks.example.com' }, {}, ['plain_http problem']],
    ['open ports', open, {}, ['dashboards_public problem', 'admin_public problem']],
    ['an open admin port', { ...open, DASHBOARD_AUTH: 'password' }, {}, ['admin_public problem']],
    ['open ports of a container', open, inContainer, []],
    ['no public address', { ...open, PUBLIC_INGEST_URL: '' }, inContainer, ['public_url_unset warning']],
    ['an ingest container', kafka, inContainer, []],
    ['a dashboards container', store, inContainer, []],
    ['a consumer container', { ...kafka, ...store }, inContainer, []],
    ['nothing set', {}, {}, ['zone_unset warning', 'platform_unset warning']],
    ['a directory in memory', good, { disk: { ...disk, type: 0x01021994 } }, ['not_persistent problem']],
    ['a container layer', good, { disk: { ...disk, type: 0x794c7630 } }, ['not_persistent problem']],
    ['little room', good, { disk: { ...disk, freeBytes: 1e9 } }, ['disk_low problem']],
  ])('%s', async (_, env, facts, codes) => expect(await check(env, facts)).toEqual(codes))

  test('finds data and secrets that everyone can read', async () => {
    const path = join(directory, 'platform-token')
    writeFileSync(path, 'secret', { mode: 0o644 })
    mkdirSync(join(directory, 'clickhouse'), { mode: 0o755 })
    const { PLATFORM_TOKEN: _, ...rest } = good
    const env = { ...rest, PLATFORM_TOKEN_FILE: path, SSL_CERT_FILE: path }
    expect(await check(env)).toEqual(['readable_by_all problem'])
    chmodSync(directory, 0o755)
    expect(await check(env)).toEqual(['readable_by_all problem', 'readable_by_all problem'])
    chmodSync(path, 0o600)
    chmodSync(join(directory, 'clickhouse'), 0o700)
    expect(await check(env)).toEqual([])
  })

  test('finds a log that fills up', async () => {
    const log = await openLocalLogWriter({ directory: join(directory, 'log') })
    const body = Buffer.alloc(700_000, 32)
    await log.append({ key: 'k', eventId: '0'.repeat(32), source: 'main', receivedAt: Date.now(), body })
    await log.close()
    expect(await check({ ...good, LOG_MAX_BYTES: String(1024 ** 2) })).toEqual(['log_nearly_full problem'])
    expect(await check()).toEqual([])
  })
})

describe('progress of the consumer', () => {
  const now = monday + minuteMs
  const calm = { waiting: 0, oldestReceivedAt: undefined, failure: undefined }
  const check = (progress: Partial<Progress>) =>
    runChecks(progressChecks, { progress: { ...calm, ...progress }, now })

  test('finds nothing while the store keeps up', async () => {
    expect(await check({})).toEqual([])
    expect(await check({ waiting: 900, oldestReceivedAt: now - 5_000 })).toEqual([])
  })

  test('counts waiting webhooks and names the oldest', async () => {
    const [finding] = await check({ waiting: 412, oldestReceivedAt: monday })
    expect(finding).toMatchObject({ code: 'waiting', severity: 'warning' })
    expect(finding?.what).toBe('412 webhooks wait to be stored, the oldest since 2026-01-05T00:00:00.000Z.')
  })

  test('shows the error of the store until a batch is stored', async () => {
    let time = monday
    const memory = createFailureMemory(() => time)
    memory.failed(new StoreError('27', 'CANNOT_PARSE', 'CANNOT_PARSE: expected'))
    time += 5_000
    memory.failed(new StoreError('241', 'MEMORY_LIMIT_EXCEEDED', 'MEMORY_LIMIT_EXCEEDED: would use'))
    const [finding] = await check(toProgress([{ records: 3, oldestMs: 10_000 }], memory.current(), now))
    expect(finding).toMatchObject({ code: 'stalled', severity: 'problem' })
    expect(finding?.what).toBe(
      'Nothing has been stored since 2026-01-05T00:00:00.000Z. 3 webhooks wait to be stored, the oldest since 2026-01-05T00:00:50.000Z. ' +
        'The last error: MEMORY_LIMIT_EXCEEDED: would use (code 241).',
    )
    memory.stored()
    expect(await check(toProgress([{ records: 0, oldestMs: 0 }], memory.current()))).toEqual([])
  })
})

describe('store', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(() => store.close())
  beforeEach(() => store.clear())
  const body = toBody('Created', 'a1', monday)
  const { receivedAt } = toRecord(body, 0)
  const storeOne = (of: Uint8Array = body) =>
    createConsumer({ client: store.writer }).handle(toBatch([toRecord(of, 0)]))
  const findAll = (now = receivedAt + minuteMs) =>
    runChecks(storeChecks, { config: toConfig(), client: store.reader, now })
  const check = async (now?: number) => toCodes(await findAll(now))
  const insert = (table: string, values: object[]) =>
    store.writer.insert({ table: `rollcall.${table}`, values, format: 'JSONEachRow' })

  test('finds nothing in an empty store, nor in one that works', async () => {
    expect(await check()).toEqual([])
    await storeOne()
    expect(await check()).toEqual([])
  })

  test('names attributes that arrive without being allowed, and allowed ones that never arrived', async () => {
    const user = (customAttributes: unknown) => ({
      id: '1',
      name: 'A',
      email: 'a@example.com',
      customAttributes,
    })
    const bodies = [
      [
        { apiName: 'country', value: 'DE' },
        { apiName: 'salary', value: 7 },
        { apiName: "a\u001b'; --", value: 'x' },
        3,
      ],
      Array.from({ length: 25 }, (_, n) => ({ apiName: `a${n}`, value: null })),
      [{ apiName: 'salary', value: 8 }, { value: 'x' }],
      'no list',
      undefined,
    ].map((sent, n) => toRecord(toBody('Created', `a${n}`, monday, {}, user(sent)), n))
    const people = createPeople(store.writer, { attributes: ['country', 'site'] })
    await createConsumer({ client: store.writer, people }).handle(toBatch(bodies))
    const [arrive, never] = await toAttributeLines(store.reader, ['country', 'site'])
    expect(arrive).toMatch(/ does not name: salary, a0, a1, [a0-9, ]+\.$/)
    expect(never).toBe('Custom attributes that never arrived: site.')
    await store.clear()
    expect(await toAttributeLines(store.reader, [])).toEqual([])
  })

  test('counts failed events by reason', async () => {
    await storeOne(Buffer.from('{}'))
    expect(await findAll()).toMatchObject([
      { code: 'failed_events', severity: 'warning', what: expect.stringContaining('no_event_type 1') },
    ])
  })

  test('finds numbers that are behind', async () => {
    await storeOne()
    expect(await check(receivedAt + 20 * minuteMs)).toEqual(['behind problem'])
  })

  const toPosition = (offset: number, size: number, ledger: { hour: number; stored: number }) => ({
    log_partition: 0,
    first_offset: offset,
    next_offset: offset + size,
    recorded_at: 1,
    complete_through: receivedAt,
    ledger: [{ source: 'main', repeated: 0, failed: 0, ...ledger }],
  })
  const hour = Math.floor(receivedAt / hourMs) * 3_600

  test('finds a ledger that does not add up', async () => {
    await insert('log_positions', [toPosition(0, 2, { hour, stored: 1 })])
    expect(await check()).toEqual(['ledger_difference problem'])
  })

  test('shows the latest hours of a ledger with more hours than the limit', async () => {
    const positions = [0, 1, 2, 3].map((at) => toPosition(at, 1, { hour: hour + 3_600 * at, stored: at + 1 }))
    await insert('log_positions', positions)
    const read = async (limit: number) =>
      (await select<{ stored: number }>(store.reader, 'ledger-rows', { from: 0, limit })).map(
        ({ stored }) => stored,
      )
    expect([await read(4), await read(2)]).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ])
  })

  test('finds an assignment that counts twice', async () => {
    await storeOne()
    await store.writer.command({
      query: 'INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions',
    })
    expect(await check()).toEqual(['unbalanced_rows problem'])
  })

  describe('and platform', () => {
    const from = Date.UTC(2026, 4, 4, 6)
    let platform: Platform
    beforeAll(async () => {
      platform = await startPlatform({ seed: 'doctor', from, to: from, people: 5, tokens: ['good'] })
    })
    afterAll(() => platform.close())
    async function ask({ token = 'good', url = platform.baseUrl, ...facts }: Asked = {}) {
      const client = openTestClient(url, token)
      const config = toConfig({ PULL_SCHEDULE: 'off', RECONCILE_SCHEDULE: 'off', ...facts.env })
      const usual = { ingestUrl: undefined, now: Date.now, ...facts, config: { ...config, platformUrl: url } }
      try {
        return toCodes(await runChecks(platformChecks, { client: store.reader, platform: client, ...usual }))
      } finally {
        await client.close()
      }
    }
    type Asked = Partial<PlatformFacts> & { token?: string; url?: string; env?: Record<string, string> }

    test('finds a dead token, no answer, a wrong clock and a missing registration', async () => {
      expect(await ask()).toEqual([])
      expect(await ask({ token: 'of-someone-who-left' })).toEqual(['platform_unusable problem'])
      const url = `http://127.0.0.1:${await findFreePort()}`
      expect(await ask({ url })).toEqual(['platform_unusable problem'])
      expect(await ask({ now: () => Date.now() + 120_000 })).toEqual(['clock_skew problem'])
      expect(await ask({ now: () => Date.now() - 600_000 })).toEqual(['clock_skew problem'])
      const ingestUrl = 'https://hooks.example.com/webhooks/q3Vn0pX8cE5uJ1tRz7YkLwAb'
      expect(await ask({ ingestUrl })).toContain('registration problem')
    })

    test('finds a pull that did not run', async () => {
      const env = { PULL_SCHEDULE: '17 3 * * *' }
      expect(await ask({ env })).toHaveLength(3)
      const run = { job: 'users', run_id: '00000000-0000-4000-8000-000000000001', state: 'succeeded' }
      await insert('job_runs', [{ ...run, started_at: Date.now(), updated_at: Date.now() }])
      expect(await ask({ env })).toEqual(['job_late problem', 'job_late problem'])
    })
  })
})

test('an ingest process checks settings and disk, creates nothing, and exits 3 for problems', async () => {
  const env = { DATA_DIR: join(directory, 'data'), KAFKA_BROKERS: 'kafka:9092' }
  const good = await runCli(['doctor', '--json'], env)
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject({ outcome: 'done', findings: [], versions: { store: null } })
  const bad = await runCli(['doctor'], { ...env, PUBLIC_INGEST_URL: 'http://a.example' })
  expect(bad.code).toBe(3)
  expect(bad.out).toContain('[plain_http]')
  expect(bad.out).toContain('Problems: 1, warnings: 0.')
  expect(() => chmodSync(env.DATA_DIR, 0o700)).toThrow('ENOENT')
})

test('an unreachable Kafka is a finding like any other', async () => {
  const clickhouse = await openTestClickHouse({ isMigrated: true })
  onTestFinished(() => clickhouse.stop())
  const env = {
    DATA_DIR: directory,
    KAFKA_BROKERS: `127.0.0.1:${await findFreePort()}`,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.username,
    CLICKHOUSE_PASSWORD: clickhouse.password,
  }
  const { code, out, err } = await runCli(['doctor', '--json', '--quiet'], env)
  expect([code, err]).toEqual([3, ''])
  const { findings } = JSON.parse(out) as { findings: Finding[] }
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'kafka_unusable', what: expect.stringContaining('set KAFKA_BROKERS') }),
  )
  expect(toCodes(findings)).toContain('platform_unset warning')
})
