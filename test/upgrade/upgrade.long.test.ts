/** Versions after one another on the same data. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { finishUpgrade, prepareUpgrade } from '../../services/clickhouse/directory/upgrade.ts'
import { migrate, readSchemaFiles } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { StartError } from '../../services/config/start-error.ts'
import { runCliInside } from '../support/processes/cli.ts'
import { deliver, startEmbeddedFromNothing } from '../support/processes/embedded.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'
import { askNumbers, countEvents, storesDirectory } from './stores.ts'
import { fileDirectory } from '../support/directories.ts'

const directory = fileDirectory()

describe('the store of a release', () => {
  const versions = readdirSync(storesDirectory).flatMap((file) => /^(.+)\.tar\.xz$/.exec(file)?.[1] ?? [])

  test('is kept for every release up to this one: npm run release:store', () => {
    expect(versions).toContain(packageJson.version)
  })

  test.each(versions)('%s gives its numbers, and takes deliveries', async (version) => {
    const data = mkdtempSync(join(directory, 'release-'))
    execFileSync('tar', ['-xJf', join(storesDirectory, `${version}.tar.xz`), '-C', data])
    const embedded = await startEmbeddedFromNothing(data, { TIME_ZONE: 'Europe/Berlin' })
    try {
      const url = embedded.dashboardUrl
      const expected = JSON.parse(readFileSync(join(storesDirectory, `${version}.json`), 'utf8')) as object
      // A later version may have more metrics, but none of them says something else.
      expect(await askNumbers(url)).toMatchObject(expected)
      const before = await countEvents(url)
      const body = Buffer.from(toBody('Created', 'after-the-upgrade', monday + day))
      expect((await deliver(embedded.ingestUrl, body)).status).toBe(200)
      await until(
        () => countEvents(url),
        (events) => events === before + 1,
      )
      expect(await embedded.stop(), embedded.output()).toBe(0)
    } finally {
      await embedded.kill()
    }
    const beside = readdirSync(data).filter((name) => name.startsWith('clickhouse'))
    expect(beside.toSorted()).toEqual(['clickhouse', 'clickhouse.lock', 'clickhouse.pid', 'clickhouse.schema.json'])
  })
})

describe('an upgrade', () => {
  const names = readSchemaFiles('migrations').map(({ name }) => name)
  const before = names.slice(0, -1)

  /** A data directory of a version that did not have the last migration, as far as its start can tell. */
  async function makeOlder(): Promise<string> {
    const data = mkdtempSync(join(directory, 'older-'))
    const store = join(data, 'clickhouse')
    copyStoreTemplate(store)
    finishUpgrade(store)
    await inStore(store, async (client) => {
      await client.insert({
        table: 'rollcall.settings',
        values: [{ name: 'kept', value: 'from before' }],
        format: 'JSONEachRow',
      })
    })
    writeFileSync(`${store}.schema.json`, JSON.stringify(before))
    return data
  }

  async function inStore<Result>(
    store: string,
    use: (client: Parameters<typeof migrate>[0]) => Promise<Result>,
  ): Promise<Result> {
    const clickhouse = await openEmbeddedClickHouse({ directory: store })
    try {
      return await use(clickhouse.writer)
    } finally {
      await clickhouse.close()
      await (await import('chdb')).drainPending()
    }
  }

  const countKept = (store: string) =>
    inStore(store, async (client) => {
      const answer = await client.query({
        query: `SELECT count() AS n FROM rollcall.settings WHERE name = 'kept'`,
        format: 'JSONEachRow',
      })
      return Number((await answer.json<{ n: string }>())[0]?.n)
    })

  test('that fails leaves a store that the version before opens, with everything in it', async () => {
    const store = join(await makeOlder(), 'clickhouse')
    await inStore(store, async (client) => {
      expect(existsSync(`${store}.before-upgrade`)).toBe(true)
      await client.command({ query: 'ALTER TABLE rollcall.settings DELETE WHERE 1 SETTINGS mutations_sync = 2' })
      await client.command({ query: 'OPTIMIZE TABLE rollcall.settings FINAL' })
      await client.command({ query: 'DROP TABLE rollcall.events SYNC' })
      await client.insert({
        table: 'rollcall.schema_migrations',
        values: [{ name: '99_half_done.sql', checksum: 'x' }],
        format: 'JSONEachRow',
      })
    })
    // The first step of opening, in the version before.
    prepareUpgrade(store, before)
    expect(existsSync(`${store}.before-upgrade`)).toBe(false)
    writeFileSync(`${store}.schema.json`, JSON.stringify(names))
    expect(await inStore(store, (client) => migrate(client))).toMatchObject({ applied: [] })
    expect(await countKept(store)).toBe(1)
  })

  test.runIf(canMount)(
    'that has no room to keep the store changes nothing, and goes on once there is room',
    async () => {
      const older = await makeOlder()
      const disk = mountSmallDisk('200m')
      try {
        cpSync(older, disk.directory, { recursive: true, verbatimSymlinks: true })
        const store = join(disk.directory, 'clickhouse')
        const files = () => readdirSync(store, { encoding: 'utf8', recursive: true }).toSorted()
        const found = files()
        // Each link takes an entry. Some are made, the last are not.
        disk.limitFiles(found.length / 2)
        for (let start = 0; start < 2; start++) {
          expect(() => prepareUpgrade(store)).toThrow(StartError)
          expect(() => prepareUpgrade(store)).toThrow(/no space left on device.*Nothing was changed/)
          expect(readdirSync(disk.directory).filter((name) => name.includes('before-upgrade'))).toEqual([])
          expect(files()).toEqual(found)
        }
        disk.limitFiles(1_000_000)
        expect(await countKept(store)).toBe(1)
        expect(existsSync(`${store}.before-upgrade`)).toBe(true)
      } finally {
        disk.remove()
      }
    },
  )

  test('that a crash has cut goes on, and keeps the copy until it is done', async () => {
    const store = join(await makeOlder(), 'clickhouse')
    await inStore(store, () => Promise.resolve())
    await inStore(store, async (client) => {
      expect(existsSync(`${store}.before-upgrade`)).toBe(true)
      await migrate(client)
      finishUpgrade(store)
    })
    expect(existsSync(`${store}.before-upgrade`)).toBe(false)
    expect(await countKept(store)).toBe(1)
    expect(JSON.parse(readFileSync(`${store}.schema.json`, 'utf8'))).toEqual(names)
  })

  test('that was cut between its two last steps is found, whichever was done', async () => {
    const store = join(await makeOlder(), 'clickhouse')
    // The store is away, its copy not yet in its place.
    cpSync(store, `${store}.before-upgrade`, { recursive: true, verbatimSymlinks: true })
    rmSync(store, { recursive: true })
    prepareUpgrade(store, before)
    expect(await countKept(store)).toBe(1)
  })

  test('of data of a newer version keeps nothing: that version refuses', async () => {
    const store = join(await makeOlder(), 'clickhouse')
    writeFileSync(`${store}.schema.json`, JSON.stringify([...names, '99_later.sql']))
    prepareUpgrade(store, before)
    expect(existsSync(`${store}.before-upgrade`)).toBe(false)
  })

  test('is described by rollcall upgrade --check, with the last backup, and nothing is changed', async () => {
    const data = await makeOlder()
    const check = () => runCliInside(['upgrade', '--check'], { DATA_DIR: data })
    const last = names.at(-1) ?? ''
    const without = await check()
    expect([without.code, without.out]).toEqual([
      3,
      expect.stringMatching(new RegExp(`will change.*\n +${last}\nNo whole backup`)),
    ])
    const backup = join(data, 'backup')
    expect(await runCliInside(['backup', backup], { DATA_DIR: data })).toMatchObject({ code: 0 })
    writeFileSync(join(data, 'clickhouse.schema.json'), JSON.stringify(before))
    const withBackup = await check()
    expect([withBackup.code, withBackup.out]).toEqual([0, expect.stringContaining(`The last backup, ${backup}, has`)])
    rmSync(join(backup, 'backup.json'))
    expect((await check()).code).toBe(3)
    writeFileSync(join(data, 'clickhouse.schema.json'), JSON.stringify([...names, '99_later.sql']))
    expect(await check()).toMatchObject({
      code: 3,
      out: expect.stringContaining('newer Rollcall (it knows 99_later.sql)'),
    })
    expect(existsSync(join(data, 'clickhouse.before-upgrade'))).toBe(false)
    expect(await runCliInside(['upgrade'], { DATA_DIR: data })).toMatchObject({ code: 2 })
    const empty = await runCliInside(['upgrade', '--check'], { DATA_DIR: join(data, 'nothing') })
    expect(empty).toMatchObject({ code: 0, out: expect.stringContaining('There is no store') })
  })
})
