import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startPlatform } from '../../sample-platform/start.ts'
import { type EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { findInColumnsOf } from '../erasure/on-disk.ts'
import { fillDashboardState, readTablesAsText } from '../support/data/dashboard-state.ts'
import { monday, toBody } from '../support/data/records.ts'
import { testDirectory } from '../support/directories.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import {
  deliver,
  startEmbedded,
  startEmbeddedFromNothing,
  type Embedded,
} from '../support/processes/embedded.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'
import { openDirectory } from '../support/store/store.ts'

let root: string
let env: { DATA_DIR: string } & Record<string, string>
const inRoot = (name: string) => join(root, name)
const remove = (...names: string[]) => names.forEach((name) => rmSync(inRoot(name), { recursive: true }))
/** Beside a running product, or where none of the store is needed. */
const cli = (...words: string[]) => runCliInside(words, env)
/** With the store in a process of its own. */
const cliApart = (...words: string[]) => runCli(words, env)
const done = (out = '') => ({ code: 0, out: expect.stringContaining(out) as string })
const refused = (err = '', code = 2) => ({ code, err: expect.stringContaining(err) as string })

beforeEach(() => {
  root = testDirectory()
  env = { DATA_DIR: inRoot('data'), INGEST_TOKENS: '' }
})

async function readIds({ dashboardUrl }: Embedded): Promise<Set<string>> {
  const answer = await fetch(`${dashboardUrl}/api/assignments?format=csv&columns=assignment_id`)
  return new Set((await answer.text()).trim().split('\r\n').slice(1))
}

/** Starts the product, waits until its rows have these ids, and stops it. */
async function startWith(ids: readonly string[]): Promise<Set<string>> {
  const product = await startEmbedded(env.DATA_DIR)
  const found = await until(
    () => readIds(product),
    (all) => ids.every((id) => all.has(id)),
  )
  expect(await product.stop()).toBe(0)
  return found
}

test('a backup under load holds all that was acknowledged before it, also once the directory is lost', async () => {
  const first = await startEmbedded(env.DATA_DIR)
  const all: string[] = []
  let isStopped = false
  const sending = (async () => {
    for (let index = 0; !isStopped; index++) {
      const answer = await deliver(first.ingestUrl, toBody('Created', `a${index}`, monday + index))
      if (answer.status === 200) all.push(`a${index}`)
    }
  })()
  const untilSent = (least: number) => until(() => all.length > least)
  await untilSent(300)
  const before = [...all]
  expect(await cli('backup', inRoot('backup'))).toMatchObject(done('everything that was acknowledged before'))
  // It is for its owner only, and goes on while deliveries arrive.
  expect(statSync(inRoot('backup')).mode & 0o077).toBe(0)
  expect(await cli('backup', inRoot('backup'))).toMatchObject(refused())
  await untilSent(before.length + 100)
  isStopped = true
  await sending
  await first.kill()
  renameSync(inRoot('data'), inRoot('lost'))

  const manifest = inRoot('backup/backup.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.slice(0, 20))
  expect(await cli('restore', inRoot('backup'))).toMatchObject(
    refused('is not a backup, or not a complete one'),
  )
  writeFileSync(manifest, text)
  // It was on a machine that keeps no permissions.
  writeFileSync(inRoot('backup/tokens.json'), '{"tokens": [], "revoked": []}')
  for (const path of ['backup', 'backup/log', 'backup/tokens.json']) chmodSync(inRoot(path), 0o755)
  expect(await cliApart('restore', inRoot('backup'))).toMatchObject(done('backfill --all'))
  for (const path of ['data', 'data/log', 'data/clickhouse', 'data/tokens.json'])
    expect(statSync(inRoot(path)).mode & 0o077, path).toBe(0)
  expect(await cli('restore', inRoot('backup'))).toMatchObject(refused())
  expect([...(await startWith(before))].filter((id) => !all.includes(id))).toEqual([])

  // Where only the store was lost, the log is newer than the backup, and brings the rest.
  remove('data', 'lost/clickhouse')
  renameSync(inRoot('lost'), inRoot('data'))
  expect(await cliApart('restore', inRoot('backup'))).toMatchObject(done('stays, because it is newer'))
  await startWith(all)
})

/** Uses the store of `root/data` while no product runs on it. */
async function onStore<Result>(use: (store: EmbeddedClickHouse) => Promise<Result>): Promise<Result> {
  const store = await openDirectory(inRoot('data/clickhouse'))
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

test('every table of the dashboards comes back with a backup as it was', async () => {
  copyStoreTemplate(inRoot('data/clickhouse'))
  const person = { userId: '7', name: 'Grace Moreno', email: 'grace@example.com' }
  const state = await onStore(async ({ reader, writer }) =>
    readTablesAsText(reader, await fillDashboardState(writer, person)),
  )
  expect(await cliApart('backup', inRoot('backup'))).toMatchObject(done())
  remove('data')
  expect(await cliApart('restore', inRoot('backup'))).toMatchObject(done())
  const restored = await onStore(({ reader }) => readTablesAsText(reader, Object.keys(state)))
  for (const [table, rows] of Object.entries(state)) {
    expect(rows.length).toBeGreaterThan(0)
    expect(restored[table], table).toEqual(expect.arrayContaining(rows))
  }
})

test('a killed backup leaves no frozen copy after the next start', async () => {
  copyStoreTemplate(inRoot('data/clickhouse'))
  mkdirSync(inRoot('data/clickhouse/shadow/backup_1/store'), { recursive: true })
  await startWith([])
  expect(existsSync(inRoot('data/clickhouse/shadow'))).toBe(false)
})

test.runIf(canMount)(
  'a restore from another disk that runs out of room in the middle can be repeated',
  async () => {
    const disk = mountSmallDisk('256m')
    onTestFinished(() => disk.remove())
    env.DATA_DIR = join(disk.directory, 'data')
    const product = await startEmbedded(env.DATA_DIR)
    const ids = Array.from({ length: 20 }, (_, index) => `a${index}`)
    const padding = 'x'.repeat(200_000)
    for (const id of ids) await deliver(product.ingestUrl, toBody('Created', id, monday, {}, { padding }))
    await until(
      () => readIds(product),
      (found) => found.size === ids.length,
    )
    expect(await cli('backup', inRoot('backup'))).toMatchObject(done())
    await product.kill()
    rmSync(env.DATA_DIR, { recursive: true })
    // The store fits, and half of the log.
    const du = execFileSync('du', ['-sk', inRoot('backup/clickhouse')], { encoding: 'utf8' })
    disk.fill(
      Number(du.split('\t')[0]) * 1_024 + Math.floor(statSync(inRoot('backup/log/log.sqlite')).size / 2),
    )
    expect(await cli('restore', inRoot('backup'))).toMatchObject(refused('ENOSPC', 1))
    expect(existsSync(join(env.DATA_DIR, 'clickhouse'))).toBe(false)
    disk.makeRoom()
    expect(await cli('restore', inRoot('backup'))).toMatchObject(
      done('The event log is the one of the backup'),
    )
    expect((await startWith(ids)).size).toBe(ids.length)
  },
)

test('neither an older backup nor a new store with a backfill brings an erased person back', async () => {
  const from = Date.UTC(2026, 4, 4, 6)
  const to = from + 10 * 86_400_000
  const platform = await startPlatform({ seed: 'erased', from, to, people: 6, tokens: ['good'] })
  onTestFinished(() => platform.close())
  await platform.deliverHistory()
  const person = platform.life.population.people[0]!
  const off = { PULL_SCHEDULE: 'off', RECONCILE_SCHEDULE: 'off' }
  Object.assign(env, { ...off, PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: 'good' })
  async function fetchAll(): Promise<void> {
    const pulled = await cli('pull')
    expect(pulled, pulled.err).toMatchObject(done())
    expect((await cli('backfill', '--all', '--repair')).err).not.toContain('failed')
  }
  const find = () => onStore((store) => findInColumnsOf(store, [person.name, person.email]))
  const restore = async (name: string) =>
    expect(await cliApart('restore', inRoot(name))).toMatchObject(done())

  const first = await startEmbedded(env.DATA_DIR, env)
  await fetchAll()
  expect(await cli('backup', inRoot('older'))).toMatchObject(done())
  expect(await cli('erase', '--user', String(person.id), '--yes')).toMatchObject(done())
  await first.stop()
  expect(await find()).toEqual([])

  // The store only: the log stays.
  remove('data/clickhouse')
  await restore('older')
  expect(await find()).not.toEqual([])
  const second = await startEmbedded(env.DATA_DIR, env)
  await fetchAll()
  await second.stop()
  expect(await find()).toEqual([])

  // Neither store nor log.
  remove('data/clickhouse', 'data/log')
  const third = await startEmbeddedFromNothing(env.DATA_DIR, env)
  await fetchAll()
  await until(async () => (await readIds(third)).size)
  expect(await cli('backup', inRoot('newer'))).toMatchObject(done())
  await third.stop()
  expect(await find()).toEqual([])

  // Nothing but the two backups: the list is the union of both.
  remove('data')
  await restore('newer')
  remove('data/clickhouse', 'data/log')
  await restore('older')
  await (await startEmbedded(env.DATA_DIR, env)).stop()
  expect(await find()).toEqual([])

  writeFileSync(inRoot('data/erased-people.json'), '[{')
  expect(await cliApart('doctor')).toMatchObject(refused('the list of erased people'))
})
