import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkNode, createDoctorCommand, toAttributeLines } from '../../services/cli/commands/doctor.ts'
import { checkFiles } from '../../services/cli/doctor/check-files.ts'
import { checkPlatform } from '../../services/cli/doctor/check-platform.ts'
import { checkProgress } from '../../services/cli/doctor/check-progress.ts'
import { checkSettings } from '../../services/cli/doctor/check-settings.ts'
import { select } from '../../services/cli/statements.ts'
import { checkStore } from '../../services/cli/doctor/check-store.ts'
import type { CommandDeps, Finding } from '../../services/cli/command-deps.ts'
import { StoreError } from '../../services/clickhouse/errors/store-error.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { createFailureMemory, toProgress } from '../../services/watch/watch-progress.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { parseConfig, type Config } from '../../services/config/config.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'
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
const codes = (findings: Finding[]) => findings.map(({ code, severity }) => `${code} ${severity}`)

describe('of the settings', () => {
  const check = (env: Record<string, string>, facts: { liveTokens?: number; isContainer?: boolean } = {}) =>
    codes(checkSettings({ config: toConfig(env), env, liveTokens: 1, isContainer: false, ...facts }))
  const good = { TIME_ZONE: 'Europe/Berlin' }

  test('nothing is said of good ones', () => {
    expect(check(good)).toEqual([])
    expect(check({ ...good, PUBLIC_INGEST_URL: 'https://hooks.example.com' })).toEqual([])
    // A proxy on this machine talks plain HTTP to it.
    expect(check({ ...good, PUBLIC_INGEST_URL: 'http://localhost:8080' })).toEqual([])
  })
  test('no token at all', () => expect(check(good, { liveTokens: 0 })).toEqual(['no_token problem']))
  test('an address without TLS', () =>
    expect(check({ ...good, PUBLIC_INGEST_URL: 'http://hooks.example.com' })).toEqual(['plain_http problem']))
  test('ports that others can reach, but not in a container, where they must be open', () => {
    const open = { ...good, HOST: '0.0.0.0', PUBLIC_INGEST_URL: 'https://hooks.example.com' }
    expect(check(open)).toEqual(['dashboards_public problem', 'admin_public problem'])
    expect(check({ ...open, DASHBOARD_AUTH: 'password' })).toEqual(['admin_public problem'])
    expect(check(open, { isContainer: true })).toEqual([])
    expect(check({ ...good, HOST: '::' })).toContain('public_url_unset warning')
  })
  test('nothing that another service of distributed mode has', () => {
    const container = { HOST: '0.0.0.0', DATA_DIR: directory }
    const kafka = { ...container, KAFKA_BROKERS: 'kafka:9092' }
    const store = { ...container, CLICKHOUSE_URL: 'http://clickhouse:8123', ...good }
    for (const env of [kafka, store, { ...kafka, ...store }]) expect(check(env, { isContainer: true })).toEqual([])
  })
  test('an unset time zone', () => expect(check({})).toEqual(['zone_unset warning']))
  test('a log that keeps too little to rebuild from', () =>
    expect(check({ ...good, LOG_RETENTION_HOURS: '2' })).toEqual(['log_retention_short warning']))
  test('rules for a role that was removed', () => {
    const roles = { ...good, DASHBOARD_ROLES: 'viewer=all-staff,manager=leads,viewer=*' }
    expect(check(roles)).toEqual(['removed_role_rule warning'])
    const [finding] = checkSettings({ config: toConfig(roles), env: roles, liveTokens: 1, isContainer: false })
    expect(finding?.what).toContain('viewer=all-staff, viewer=*')
    expect(() => toConfig({ DASHBOARD_ROLES: 'reader=all' })).toThrow('roles are owner, analyst, manager')
  })
  test('a misspelt setting and a removed one', () => {
    const env = { ...good, DASHBORD_AUTH: 'password', SPOOL_DIR: '/spool' }
    expect(check(env)).toEqual(['unknown_setting warning', 'unknown_setting warning'])
  })
  test('an old Node', () => {
    expect(checkNode('20.19.0')).toMatchObject({ code: 'node_version', severity: 'warning' })
    expect(checkNode(process.versions.node)).toBeUndefined()
  })
})

describe('of the disk', () => {
  const gib = 1024 ** 3
  const disk = { type: 0xef53, freeBytes: 50 * gib, totalBytes: 100 * gib }
  const check = (facts: Partial<Parameters<typeof checkFiles>[0]> = {}) =>
    codes(checkFiles({ config: toConfig(), env: {}, isEmbedded: true, readDisk: () => disk, ...facts }))

  test('nothing is said of a directory that is its owner’s alone', () => {
    chmodSync(directory, 0o700)
    expect(check()).toEqual([])
  })
  test('data that everybody can read', () => {
    chmodSync(directory, 0o755)
    mkdirSync(join(directory, 'clickhouse'), { mode: 0o755 })
    expect(check()).toEqual(['data_readable problem'])
    chmodSync(join(directory, 'clickhouse'), 0o700)
    expect(check()).toEqual([])
  })
  test('secrets that everybody can read', () => {
    const path = join(directory, 'platform-token')
    writeFileSync(path, 'secret')
    writeFileSync(join(directory, 'ingest-token'), 'secret')
    chmodSync(path, 0o644)
    chmodSync(join(directory, 'ingest-token'), 0o604)
    const env = { PLATFORM_TOKEN_FILE: path, SSL_CERT_FILE: path }
    expect(check({ env })).toEqual(['secret_readable problem', 'secret_readable problem'])
    chmodSync(path, 0o600)
    chmodSync(join(directory, 'ingest-token'), 0o600)
    expect(check({ env })).toEqual([])
  })
  test('a place that does not last', () => {
    expect(check({ readDisk: () => ({ ...disk, type: 0x01021994 }) })).toEqual(['not_persistent problem'])
    mkdirSync(join(directory, 'spool'))
    const overlay = { isEmbedded: false, readDisk: () => ({ ...disk, type: 0x794c7630 }) }
    expect(check(overlay)).toEqual(['not_persistent problem'])
  })
  test('little room', () => {
    expect(check({ readDisk: () => ({ ...disk, freeBytes: 5 * gib }) })).toEqual(['disk_low warning'])
    expect(check({ readDisk: () => ({ ...disk, freeBytes: gib / 2 }) })).toEqual(['disk_low problem'])
  })
  test('a log, or a spool, that fills up', async () => {
    for (const name of ['log', 'spool']) {
      const log = await openLocalLogWriter({ directory: join(directory, name) })
      const body = Buffer.alloc(700_000, 32)
      await log.append({ key: 'k', eventId: '0'.repeat(32), source: 'main', receivedAt: Date.now(), body })
      await log.close()
    }
    expect(check({ config: toConfig({ LOG_MAX_BYTES: String(1024 ** 2) }) })).toEqual(['log_nearly_full problem'])
    expect(check({ isEmbedded: false })).toEqual(['spool_in_use warning'])
    expect(check()).toEqual([])
  })
})

describe('of the way from the log to the store', () => {
  const now = monday + 60_000
  const calm = { waiting: 0, oldestReceivedAt: undefined, failure: undefined }

  test('nothing is said while the store keeps up', () => {
    expect(checkProgress(calm, now)).toBeUndefined()
    expect(checkProgress({ ...calm, waiting: 900, oldestReceivedAt: now - 5_000 }, now)).toBeUndefined()
  })
  test('deliveries that wait, with how many and since when', () => {
    const finding = checkProgress({ ...calm, waiting: 412, oldestReceivedAt: monday }, now)
    expect(finding).toMatchObject({ code: 'waiting', severity: 'warning' })
    expect(finding?.what).toBe('412 deliveries wait to be stored, the oldest since 2026-01-05T00:00:00.000Z.')
  })
  test('what the store refuses, since when and in its words, until a batch is stored', () => {
    let time = monday
    const memory = createFailureMemory(() => time)
    memory.failed(new StoreError('27', 'CANNOT_PARSE', 'CANNOT_PARSE: expected'))
    time += 5_000
    memory.failed(new StoreError('241', 'MEMORY_LIMIT_EXCEEDED', 'MEMORY_LIMIT_EXCEEDED: would use'))
    const progress = toProgress([{ records: 3, oldestMs: 10_000 }], memory.current(), now)
    const finding = checkProgress(progress, now)
    expect(finding).toMatchObject({ code: 'store_refuses', severity: 'problem' })
    expect(finding?.what).toBe(
      'Nothing has been stored since 2026-01-05T00:00:00.000Z: 2 tries have failed. 3 deliveries wait to be stored, the oldest since 2026-01-05T00:00:50.000Z.',
    )
    expect(finding?.why).toContain('MEMORY_LIMIT_EXCEEDED: would use (code 241)')
    memory.stored()
    expect(checkProgress(toProgress([{ records: 0, oldestMs: 0 }], memory.current()), now)).toBeUndefined()
  })
})

describe('of the store', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(() => store.close())
  beforeEach(() => store.clear())
  const body = toBody('Created', 'a1', monday)
  const receivedAt = toRecord(body, 0).receivedAt
  const check = async (now = receivedAt + 60_000, env: Record<string, string> = {}) =>
    codes(await checkStore({ config: toConfig(env), client: store.reader, now: () => now }))

  test('nothing is said of an empty one, nor of one that works', async () => {
    expect(await check()).toEqual([])
    await createConsumer({ client: store.writer }).handle(toBatch([toRecord(body, 0)]))
    expect(await check()).toEqual([])
  })
  test('attributes that arrive and are not allowed, and those that never came', async () => {
    const user = (customAttributes: unknown) => ({ id: '1', name: 'A', email: 'a@example.com', customAttributes })
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
    await createConsumer({
      client: store.writer,
      people: createPeople(store.writer, { attributes: ['country', 'site'] }),
    }).handle(toBatch(bodies))
    const [arrive, never] = await toAttributeLines(store.reader, ['country', 'site'])
    expect(arrive).toMatch(
      /^Custom attributes that arrive and are not kept: salary, a0, a1, [a0-9, ]+ and 6 more\. USER_ATTRIBUTES would allow them\.$/,
    )
    expect(never).toBe('Custom attributes in USER_ATTRIBUTES that never came: site.')
    await store.clear()
    expect(await toAttributeLines(store.reader, [])).toEqual([])
  })
  test('failed events, with their reasons', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch([toRecord(Buffer.from('{}'), 0)]))
    expect(await check()).toEqual(['failed_events warning'])
    const [finding] = await checkStore({ config: toConfig(), client: store.reader, now: () => receivedAt })
    expect(finding?.what).toContain('no_event_type 1')
  })
  test('numbers that are behind, and nothing received for days', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch([toRecord(body, 0)]))
    expect(await check(receivedAt + 20 * 60_000)).toEqual(['behind warning'])
    expect(await check(receivedAt + 4 * 86_400_000)).toEqual(['silent warning', 'behind problem'])
  })
  test('a consumer that Kafka will not wait for', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch([toRecord(body, 0)]))
    const kafka = { KAFKA_BROKERS: 'localhost:1', LOG_RETENTION_HOURS: '72' }
    expect(await check(receivedAt + 40 * 3_600_000, kafka)).toContain('lag_near_retention problem')
    expect(await check(receivedAt + 20 * 3_600_000, kafka)).not.toContain('lag_near_retention problem')
  })
  test('a ledger that does not add up', async () => {
    const entry = { source: 'main', hour: receivedAt / 1000, stored: 1, repeated: 0, failed: 0 }
    const position = { log_partition: 0, first_offset: 0, next_offset: 2, recorded_at: 1, complete_through: receivedAt }
    await store.writer.insert({
      table: 'rollcall.log_positions',
      values: [{ ...position, ledger: [{ ...entry, hour: Math.floor(receivedAt / 3_600_000) * 3_600 }] }],
      format: 'JSONEachRow',
    })
    expect(await check()).toEqual(['ledger_difference problem'])
  })
  test('a ledger with more hours than fit, of which the latest stay', async () => {
    const hour = Math.floor(receivedAt / 3_600_000) * 3_600
    const position = { log_partition: 0, recorded_at: 1, complete_through: receivedAt }
    await store.writer.insert({
      table: 'rollcall.log_positions',
      values: [0, 1, 2, 3].map((at) => ({
        ...position,
        first_offset: at,
        next_offset: at + 1,
        ledger: [{ source: 'main', hour: hour + 3_600 * at, stored: at + 1, repeated: 0, failed: 0 }],
      })),
      format: 'JSONEachRow',
    })
    const read = async (limit: number) =>
      (await select<{ stored: number }>(store.reader, 'ledger-rows', { from: 0, limit })).map(({ stored }) => stored)
    expect([await read(4), await read(2)]).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ])
  })
  test('an assignment that counts twice', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch([toRecord(body, 0)]))
    await store.writer.command({ query: 'INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions' })
    expect(await check()).toEqual(['unbalanced_rows problem'])
  })
  test('an audit that fails while it mends', async () => {
    const run = async () => ({
      outcome: 'failed',
      done: 0,
      error: { code: 'INTERNAL', message: 'no memory' },
      note: '',
    })
    const command = createDoctorCommand({
      config: toConfig({ TIME_ZONE: 'UTC' }),
      client: store.reader,
      scheduled: { jobs: { run } },
      checkLog: async () => undefined,
      readProgress: async () => ({ waiting: 0 }),
      ingestUrl: () => undefined,
    } as unknown as CommandDeps)
    const io = { report: () => {}, signal: new AbortController().signal }
    const { outcome, lines, data } = await command.run({ mend: true, testChannels: false }, io)
    expect([outcome, lines[0]]).toEqual(['problems', 'The audit failed: 0 mended (no memory).'])
    expect(data).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ code: 'audit_failed' })]),
    })
  })
  test('a table that does not sync', async () => {
    const alter = (value: number) =>
      store.writer.command({ query: `ALTER TABLE rollcall.names MODIFY SETTING fsync_after_insert = ${value}` })
    await alter(0)
    expect(await check()).toEqual(['not_synced problem'])
    await alter(1)
    expect(await check()).toEqual([])
  })

  describe('and of the platform', () => {
    const from = Date.UTC(2026, 4, 4, 6)
    const open: { close(): Promise<void> }[] = []
    afterEach(async () => {
      for (const thing of open.splice(0).toReversed()) await thing.close()
    })
    async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
      const platform = await startPlatform({ seed: 'doctor', from, to: from, people: 5, tokens: ['good'], ...options })
      open.push(platform)
      return platform
    }
    async function ask(
      platform: Platform,
      facts: { token?: string; now?: number; scheduled?: string[]; url?: string } = {},
    ) {
      const { token = 'good', now = Date.now(), scheduled = [], url } = facts
      const client = openTestClient(platform.baseUrl, token)
      open.push(client)
      const config = toConfig({ PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: token })
      return codes(
        await checkPlatform({
          config,
          client: store.reader,
          platform: client,
          scheduled,
          ingestUrl: url,
          now: () => now,
        }),
      )
    }

    test('that there is none', async () => {
      const facts = {
        config: toConfig(),
        client: store.reader,
        platform: undefined,
        scheduled: [],
        ingestUrl: undefined,
      }
      expect(codes(await checkPlatform({ ...facts, now: Date.now }))).toEqual(['platform_unset warning'])
    })
    test('nothing where all is well', async () => expect(await ask(await start())).toEqual([]))
    test('a token that is dead', async () =>
      expect(await ask(await start(), { token: 'of-someone-who-left' })).toEqual(['platform_token problem']))
    test('a platform that cannot be reached', async () => {
      const platform = await start()
      await platform.close()
      open.length = 0
      expect(await ask(platform)).toEqual(['platform_unreachable problem'])
    })
    test('clocks that differ', async () => {
      const platform = await start()
      expect(await ask(platform, { now: Date.now() + 120_000 })).toEqual(['clock_skew warning'])
      expect(await ask(platform, { now: Date.now() - 600_000 })).toEqual(['clock_skew problem'])
    })
    test('an address that is not registered', async () =>
      expect(
        await ask(await start(), { url: 'https://hooks.example.com/webhooks/q3Vn0pX8cE5uJ1tRz7YkLwAb' }),
      ).toContain('registration problem'))
    test('pulls that are not done', async () => {
      const platform = await start()
      expect(await ask(platform, { scheduled: ['users'] })).toEqual(['pull_stale problem'])
      const run = { job: 'users', run_id: '00000000-0000-4000-8000-000000000001', state: 'succeeded' }
      await store.writer.insert({
        table: 'rollcall.job_runs',
        values: [{ ...run, started_at: Date.now(), updated_at: Date.now() }],
        format: 'JSONEachRow',
      })
      expect(await ask(platform, { scheduled: ['users'] })).toEqual([])
    })
  })
})

test('before the first start it makes nothing, and tells by its exit code whether there are problems', async () => {
  const dataDir = join(directory, 'data')
  const good = await runCli(['doctor', '--json'], { DATA_DIR: dataDir, TIME_ZONE: 'UTC' })
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject({ outcome: 'done', findings: [], versions: { store: null } })
  const bad = await runCli(['doctor'], {
    DATA_DIR: dataDir,
    TIME_ZONE: 'UTC',
    HOST: '0.0.0.0',
    PUBLIC_INGEST_URL: 'http://a.example',
  })
  expect(bad.code).toBe(3)
  expect(bad.out).toContain('[plain_http]')
  expect(() => chmodSync(dataDir, 0o700)).toThrow('ENOENT')
})

test('says in its own words that DATA_DIR is a file', async () => {
  const file = join(directory, 'file')
  writeFileSync(file, '', { mode: 0o644 })
  const { code, out } = await runCli(['doctor'], { DATA_DIR: file, TIME_ZONE: 'UTC' })
  expect(code).toBe(3)
  expect(out).toContain('[no_directory]')
  expect(out).toContain('1 problem, 0 warnings.')
})

test('--test-channels sends each channel a message, and says which one did not take it', async () => {
  const texts: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      texts.push((JSON.parse(body) as { text: string }).text)
      response.writeHead(request.url === '/gone' ? 404 : 200).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const env = {
    DATA_DIR: join(directory, 'channels'),
    TIME_ZONE: 'UTC',
    DASHBOARD_URL: 'https://rollcall.example.com',
    DIGEST_CHANNEL_URL: `${url}/secret`,
    ALERT_CHANNEL_URL: `${url}/gone`,
  }
  try {
    const { out } = await runCli(['doctor', '--test-channels'], env)
    expect(out).toContain('Sent a test message to DIGEST_CHANNEL_URL (plain text).')
    expect(out).toContain('The channel of ALERT_CHANNEL_URL did not take a test message. The channel answered 404.')
    expect(out).not.toContain(url)
    expect(texts.map((each) => each.split('\n')[0])).toEqual(Array(2).fill('Test message from Rollcall'))
    await runCli(['doctor'], env)
    expect(texts.length).toBe(2)
  } finally {
    server.close()
  }
})

test('a Kafka that is away is a finding like any other', async () => {
  const clickhouse = await openTestClickHouse({ isMigrated: true })
  try {
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
      expect.objectContaining({ code: 'kafka_unreachable', what: expect.stringContaining('set KAFKA_BROKERS') }),
    )
    expect(codes(findings)).toContain('platform_unset warning')
  } finally {
    await clickhouse.stop()
  }
})
