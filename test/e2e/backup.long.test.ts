import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startPlatform } from '../../sample-platform/start.ts'
import { openEmbeddedClickHouse, type EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { makeToken } from '../../services/config/token.ts'
import { findInColumnsOf, readRows } from '../erasure/on-disk.ts'
import { fillDashboardState, readTablesAsText } from '../support/data/dashboard-state.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { childEnvironment } from '../support/processes/child.ts'
import {
  deliver,
  startEmbedded,
  startEmbeddedFromNothing,
  type Embedded,
} from '../support/processes/embedded.ts'
import { monday, toBody } from '../support/data/records.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

let root: string
const inRoot = (name: string) => join(root, name)

beforeEach(() => {
  root = testDirectory()
})

/** Sends until it is stopped, and remembers the acknowledged deliveries. */
function sendAll({ ingestUrl }: Embedded) {
  const acknowledged: string[] = []
  let isStopped = false
  const sending = (async () => {
    for (let index = 0; !isStopped; index++) {
      const id = `a${index}`
      const answer = await deliver(ingestUrl, toBody('Created', id, monday + index))
      if (answer.status === 200) acknowledged.push(id)
    }
  })()
  return {
    acknowledged,
    async stop() {
      isStopped = true
      await sending
    },
  }
}

async function readIds({ dashboardUrl }: Embedded): Promise<Set<string>> {
  const [, ...lines] = (
    await (await fetch(`${dashboardUrl}/api/assignments?format=csv&columns=assignment_id`)).text()
  )
    .trim()
    .split('\r\n')
  return new Set(lines)
}

test('a backup under load holds all that was acknowledged before it, also once the directory is lost', async () => {
  const env = { DATA_DIR: inRoot('data'), INGEST_TOKENS: '' }
  const first = await startEmbedded(inRoot('data'))
  const sender = sendAll(first)
  await until(
    () => sender.acknowledged.length,
    (count) => count > 300,
  )
  const before = [...sender.acknowledged]
  const backup = await runCliInside(['backup', inRoot('backup')], env)
  expect(backup).toMatchObject({
    code: 0,
    out: expect.stringContaining('everything that was acknowledged before'),
  })
  // It is for its owner only, and goes on while deliveries arrive.
  expect(statSync(inRoot('backup')).mode & 0o077).toBe(0)
  expect(await runCliInside(['backup', inRoot('backup')], env)).toMatchObject({ code: 2 })
  await until(
    () => sender.acknowledged.length,
    (count) => count > before.length + 100,
  )
  await sender.stop()
  await first.kill()
  const all = [...sender.acknowledged]
  renameSync(inRoot('data'), inRoot('lost'))

  const manifest = join(inRoot('backup'), 'backup.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.slice(0, 20))
  const refused = await runCliInside(['restore', inRoot('backup')], env)
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('is not a backup, or not a complete one'),
  })
  writeFileSync(manifest, text)
  // It was on a machine that keeps no permissions.
  writeFileSync(inRoot('backup/ingest-token'), makeToken())
  for (const path of ['backup', 'backup/log', 'backup/ingest-token']) chmodSync(inRoot(path), 0o755)
  expect(await runCli(['restore', inRoot('backup')], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('backfill --all'),
  })
  for (const path of ['data', 'data/log', 'data/clickhouse', 'data/ingest-token'])
    expect(statSync(inRoot(path)).mode & 0o077, path).toBe(0)
  expect(await runCliInside(['restore', inRoot('backup')], env)).toMatchObject({ code: 2 })
  const second = await startEmbedded(inRoot('data'))
  const ids = await until(
    () => readIds(second),
    (found) => before.every((id) => found.has(id)),
  )
  expect([...ids].filter((id) => !all.includes(id))).toEqual([])
  expect(await second.stop()).toBe(0)

  // Where only the store was lost, the log is newer than the backup, and brings the rest.
  rmSync(inRoot('data'), { recursive: true })
  renameSync(inRoot('lost'), inRoot('data'))
  rmSync(inRoot('data/clickhouse'), { recursive: true })
  expect(await runCli(['restore', inRoot('backup')], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('stays, because it is newer'),
  })
  const third = await startEmbedded(inRoot('data'))
  await until(
    () => readIds(third),
    (found) => all.every((id) => found.has(id)),
  )
  expect(await third.stop()).toBe(0)
})

/** Uses the store of `root/data` while no product runs on it. */
async function onStore<Result>(use: (store: EmbeddedClickHouse) => Promise<Result>): Promise<Result> {
  const store = await openEmbeddedClickHouse({ directory: inRoot('data/clickhouse') })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

test('every table of the dashboards comes back with a backup as it was', async () => {
  const env = { DATA_DIR: inRoot('data'), INGEST_TOKENS: '' }
  copyStoreTemplate(inRoot('data/clickhouse'))
  const person = { userId: '7', name: 'Grace Moreno', email: 'grace@example.com' }
  const state = await onStore(async ({ reader, writer }) =>
    readTablesAsText(reader, await fillDashboardState(writer, person)),
  )
  expect(Object.values(state).every((rows) => rows.length > 0)).toBe(true)
  expect(await runCli(['backup', inRoot('backup')], env)).toMatchObject({ code: 0 })
  rmSync(inRoot('data'), { recursive: true })

  expect(await runCli(['restore', inRoot('backup')], env)).toMatchObject({ code: 0 })
  const restored = await onStore(({ reader }) => readTablesAsText(reader, Object.keys(state)))
  for (const [table, rows] of Object.entries(state))
    expect(restored[table], table).toEqual(expect.arrayContaining(rows))
})

test('a killed backup leaves no frozen copy after the next start', async () => {
  copyStoreTemplate(inRoot('data/clickhouse'))
  mkdirSync(inRoot('data/clickhouse/shadow/backup_1/store'), { recursive: true })
  await (await startEmbedded(inRoot('data'))).stop()
  expect(existsSync(inRoot('data/clickhouse/shadow'))).toBe(false)
})

test.runIf(canMount)(
  'a restore from another disk that runs out of room in the middle can be repeated',
  async () => {
    const data = mountSmallDisk('256m')
    onTestFinished(() => data.remove())
    const env = { DATA_DIR: join(data.directory, 'data'), INGEST_TOKENS: '' }
    const product = await startEmbedded(env.DATA_DIR)
    const ids = Array.from({ length: 20 }, (_, index) => `a${index}`)
    const padding = 'x'.repeat(200_000)
    for (const id of ids) await deliver(product.ingestUrl, toBody('Created', id, monday, {}, { padding }))
    await until(
      () => readIds(product),
      (found) => found.size === ids.length,
    )
    expect((await runCliInside(['backup', inRoot('backup')], env)).code).toBe(0)
    await product.kill()
    rmSync(env.DATA_DIR, { recursive: true })

    const sizeOf = (path: string) => statSync(inRoot(path)).size
    // The store fits, and half of the log.
    const storeBytes = Number((await runDu(inRoot('backup/clickhouse'))).split('\t')[0]) * 1024
    data.fill(storeBytes + Math.floor(sizeOf('backup/log/log.sqlite') / 2))
    const failed = await runCliInside(['restore', inRoot('backup')], env)
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('ENOSPC') })
    expect(existsSync(join(env.DATA_DIR, 'clickhouse'))).toBe(false)
    data.makeRoom()
    const again = await runCliInside(['restore', inRoot('backup')], env)
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining('The event log is the one of the backup'),
    })
    const second = await startEmbedded(env.DATA_DIR)
    expect((await readIds(second)).size).toBe(ids.length)
    expect(await second.stop()).toBe(0)
  },
)

async function runDu(directory: string): Promise<string> {
  return (await promisify(execFile)('du', ['-sk', directory])).stdout
}

test('a backup made before a later version added a column is restored, and that version adds it', async () => {
  const env = { DATA_DIR: inRoot('data'), INGEST_TOKENS: '' }
  copyStoreTemplate(inRoot('data/clickhouse'))
  await onStore(({ writer }) =>
    writer.command({
      query: `INSERT INTO rollcall.access_audit (login, keep_until) VALUES ('kept', '2100-01-01 00:00:00')`,
    }),
  )
  expect(await runCli(['backup', inRoot('backup')], env)).toMatchObject({ code: 0 })
  rmSync(inRoot('data'), { recursive: true })

  const later = inRoot('later')
  for (const part of ['services', 'schemas', 'reporting', 'dashboards', 'digest', 'language', 'package.json'])
    cpSync(join(import.meta.dirname, '../..', part), join(later, part), { recursive: true })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(later, 'node_modules'))
  writeFileSync(
    join(later, 'schemas/clickhouse/migrations/99_colour.sql'),
    `ALTER TABLE rollcall.access_audit ADD COLUMN IF NOT EXISTS colour String DEFAULT 'green';\n`,
  )
  for (const words of [['restore', inRoot('backup')], ['migrate']]) {
    const main = join(later, 'services/cli/main.ts')
    await promisify(execFile)(process.execPath, [main, ...words], { env: childEnvironment(env) })
  }
  const query = 'SELECT login, colour FROM rollcall.access_audit'
  expect(await onStore((store) => readRows(store, query))).toEqual([{ login: 'kept', colour: 'green' }])
  // The version before refuses what the later one has changed.
  const refused = await runCli(['migrate'], env)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('99_colour.sql') })
})

test('neither an older backup nor a new store with a backfill brings an erased person back', async () => {
  const from = Date.UTC(2026, 4, 4, 6)
  const platform = await startPlatform({
    seed: 'erased',
    from,
    to: from + 10 * 86_400_000,
    people: 6,
    tokens: ['good'],
  })
  onTestFinished(() => platform.close())
  await platform.deliverHistory()
  const person = platform.life.population.people[0]
  if (person === undefined) throw new Error('Nobody works there')
  const searched = [person.name, person.email]
  const schedules = ['PULL_USERS', 'PULL_GUIDES', 'PULL_GUIDE_CHANGES', 'PULL_GUIDE_ASSIGNMENTS', 'RECONCILE']
  const off = Object.fromEntries(schedules.map((job) => [`${job}_SCHEDULE`, 'off']))
  const env = { DATA_DIR: inRoot('data'), PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: 'good', ...off }
  const done = { code: 0 }
  async function fetchAll(): Promise<void> {
    expect(await runCliInside(['pull'], env)).toMatchObject(done)
    expect((await runCliInside(['backfill', '--all', '--repair'], env)).err).not.toContain('failed')
  }
  const find = () => onStore((store) => findInColumnsOf(store, searched))

  const first = await startEmbedded(inRoot('data'), env)
  await fetchAll()
  expect(await runCliInside(['backup', inRoot('older')], env)).toMatchObject(done)
  expect(await runCliInside(['erase', '--user', String(person.id), '--yes'], env)).toMatchObject(done)
  await first.stop()
  expect(await find()).toEqual([])

  // The store only: the log stays.
  rmSync(inRoot('data/clickhouse'), { recursive: true })
  expect(await runCli(['restore', inRoot('older')], env)).toMatchObject(done)
  expect(await find()).not.toEqual([])
  const second = await startEmbedded(inRoot('data'), env)
  await fetchAll()
  await second.stop()
  expect(await find()).toEqual([])

  // Neither store nor log.
  for (const part of ['clickhouse', 'log']) renameSync(inRoot(`data/${part}`), inRoot(part))
  const third = await startEmbeddedFromNothing(inRoot('data'), env)
  await fetchAll()
  expect((await readIds(third)).size).toBeGreaterThan(0)
  expect(await runCliInside(['backup', inRoot('newer')], env)).toMatchObject(done)
  await third.stop()
  expect(await find()).toEqual([])

  // Nothing but the two backups: the list is the union of both.
  rmSync(inRoot('data'), { recursive: true })
  expect(await runCli(['restore', inRoot('newer')], env)).toMatchObject(done)
  for (const part of ['clickhouse', 'log']) rmSync(inRoot(`data/${part}`), { recursive: true })
  expect(await runCli(['restore', inRoot('older')], env)).toMatchObject(done)
  await (await startEmbedded(inRoot('data'), env)).stop()
  expect(await find()).toEqual([])

  writeFileSync(inRoot('data/erased-people.json'), '[{')
  const refused = await runCli(['doctor'], env)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('the list of erased people') })
})
