import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openEmbeddedClickHouse, type EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { makeToken } from '../../services/config/token.ts'
import { fillDashboardState, readTablesAsText } from '../support/data/dashboard-state.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { deliver, startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { monday, toBody } from '../support/data/records.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

/** Another disk has no links from here, and of a log it keeps the first page. Returns what takes that back. */
function breakDisk(): () => void {
  const { linkSync, copyFileSync, cpSync } = fs
  const cut = (path: string) => {
    if (!existsSync(path)) return
    truncateSync(path, 4096)
    throw new Error('no room')
  }
  fs.linkSync = () => {
    throw Object.assign(new Error('EXDEV: cross-device link not permitted'), { code: 'EXDEV' })
  }
  fs.copyFileSync = (from, to) => {
    copyFileSync(from, to)
    if (String(from).endsWith('log.sqlite')) cut(String(to))
  }
  fs.cpSync = (from, to, options) => {
    cpSync(from, to, options)
    cut(join(String(to), 'log.sqlite'))
  }
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, { linkSync, copyFileSync, cpSync })
    syncBuiltinESMExports()
  }
}

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
  const [, ...lines] = (await (await fetch(`${dashboardUrl}/api/assignments?format=csv`)).text()).trim().split('\r\n')
  return new Set(lines.map((line) => line.slice(0, line.indexOf(','))))
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
  expect(backup).toMatchObject({ code: 0, out: expect.stringContaining('everything that was acknowledged before') })
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
  for (const [spoiled, words] of [
    [text.replace('"01_events', '"99_events'), 'made by a newer Rollcall'],
    [text.slice(0, 20), 'is no backup, or not a whole one'],
  ] as const) {
    writeFileSync(manifest, spoiled)
    const refused = await runCliInside(['restore', inRoot('backup')], env)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  }
  writeFileSync(manifest, text)
  // It was on a machine that keeps no permissions.
  writeFileSync(inRoot('backup/ingest-token'), makeToken())
  for (const path of ['backup', 'backup/log', 'backup/ingest-token']) chmodSync(inRoot(path), 0o755)
  expect(await runCli(['restore', inRoot('backup')], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('backfill --from'),
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

test('every table of the dashboards comes back with a backup as it was, and roles, tokens and views work', async () => {
  const env = { DATA_DIR: inRoot('data'), INGEST_TOKENS: '' }
  const onStore = async <Result>(use: (store: EmbeddedClickHouse) => Promise<Result>): Promise<Result> => {
    const store = await openEmbeddedClickHouse({ directory: inRoot('data/clickhouse') })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }
  copyStoreTemplate(inRoot('data/clickhouse'))
  const state = await onStore(async ({ reader, writer }) => {
    const person = { userId: '7', name: 'Grace Moreno', email: 'grace@example.com' }
    return readTablesAsText(reader, await fillDashboardState(writer, person))
  })
  expect(Object.values(state).every((rows) => rows.length > 0)).toBe(true)
  const first = await startEmbedded(inRoot('data'))
  await deliver(first.ingestUrl, toBody('Created', 'a1', monday))
  const form = (path: string, fields: Record<string, string>) =>
    fetch(`${first.dashboardUrl}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  expect((await form('/views', { page: '/overdue', name: 'Late in spring' })).status).toBe(303)
  const add = ['user', 'add', 'ada@example.com', '--role', 'analyst', '--names', '--no-password']
  for (const args of [add, ['token', 'create', 'nightly', '--role', 'viewer']])
    expect(await runCliInside(args, env)).toMatchObject({ code: 0 })
  const read = async () => ({
    users: JSON.parse((await runCliInside(['user', 'list', '--json'], env)).out) as unknown,
    tokens: JSON.parse((await runCliInside(['token', 'list', '--json'], env)).out) as unknown,
  })
  const before = await read()
  expect(JSON.stringify(before)).toMatch(/ada@example\.com.*nightly/)
  expect(await runCliInside(['backup', inRoot('backup')], env)).toMatchObject({ code: 0 })
  await first.kill()
  rmSync(inRoot('data'), { recursive: true })

  expect(await runCli(['restore', inRoot('backup')], env)).toMatchObject({ code: 0 })
  const restored = await onStore(({ reader }) => readTablesAsText(reader, Object.keys(state)))
  for (const [table, rows] of Object.entries(state))
    expect(restored[table], table).toEqual(expect.arrayContaining(rows))
  const second = await startEmbedded(inRoot('data'))
  expect(await read()).toEqual(before)
  expect(await (await fetch(`${second.dashboardUrl}/views`)).text()).toContain('Late in spring')
  expect(await second.stop()).toBe(0)
})

test('a restore from another disk that fails in the middle of the log can be repeated', async () => {
  const env = { DATA_DIR: inRoot('data'), INGEST_TOKENS: '' }
  const product = await startEmbedded(inRoot('data'))
  const ids = Array.from({ length: 20 }, (_, index) => `a${index}`)
  for (const id of ids) await deliver(product.ingestUrl, toBody('Created', id, monday))
  await until(
    () => readIds(product),
    (found) => found.size === ids.length,
  )
  expect((await runCliInside(['backup', inRoot('backup')], env)).code).toBe(0)
  // As one that was killed leaves it.
  mkdirSync(inRoot('data/clickhouse/shadow/backup_1/store'), { recursive: true })
  await product.kill()
  await (await startEmbedded(inRoot('data'))).stop()
  expect(existsSync(inRoot('data/clickhouse/shadow'))).toBe(false)

  rmSync(inRoot('data'), { recursive: true })
  const mend = breakDisk()
  onTestFinished(mend)
  expect((await runCliInside(['restore', inRoot('backup')], env)).err).toContain('no room')
  mend()
  const again = await runCliInside(['restore', inRoot('backup')], env)
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('The event log is the one of the backup') })
  const second = await startEmbedded(inRoot('data'))
  expect((await readIds(second)).size).toBe(ids.length)
  expect(await second.stop()).toBe(0)
})
