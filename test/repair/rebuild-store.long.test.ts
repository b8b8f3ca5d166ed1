import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { rebuildStore } from '../../services/cli/commands/store.ts'
import { openEmbeddedStore } from '../../services/cli/open-embedded-store.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { parseConfig, type Config } from '../../services/config/config.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { monday, toBody } from '../support/data/records.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { testDirectory } from '../support/directories.ts'

const hour = 3_600_000
/** Within the time that the log keeps, whenever this runs. */
const startedAt = Date.now()
const assignments = 600
let config: Config
const inStore = (...path: string[]) => join(config.dataDir, 'clickhouse', ...path)
const io = { report: () => {}, signal: new AbortController().signal }

function openDirectory(): void {
  const parsed = parseConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'rollcall-rebuild-')) })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  config = parsed.config
}
let filled: string
beforeAll(async () => {
  openDirectory()
  await fill()
  filled = config.dataDir
})
beforeEach(() => {
  openDirectory()
  cpSync(filled, config.dataDir, { recursive: true, verbatimSymlinks: true })
})
afterEach(() => rmSync(config.dataDir, { recursive: true }))
afterAll(() => rmSync(filled, { recursive: true }))

/** Two events of every assignment, by several people, stored in some parts. */
async function fill(): Promise<void> {
  const writer = await openLocalLogWriter({ directory: join(config.dataDir, 'log') })
  const store = await openEmbeddedStore(config)
  for (const [kind, at] of [
    ['Created', monday],
    ['Progress', monday + hour],
  ] as const) {
    const bodies = Array.from({ length: assignments }, (_, index) =>
      toBody(kind, `a${index}`, at + index, {}, { id: index % 50, name: `Person ${index % 50}` }),
    )
    await Promise.all(
      bodies.map((body, index) =>
        writer.append({
          key: `a${index}`,
          eventId: toEventId(body),
          source: 'main',
          receivedAt: startedAt + index,
          body,
        }),
      ),
    )
    await store.storeLog()
  }
  await store.close()
  await writer.close()
}

/** As retention does it: the first half is in the store only. */
function forgetHalfOfTheLog(): void {
  const database = new DatabaseSync(join(config.dataDir, 'log/log.sqlite'))
  database.exec(`DELETE FROM records WHERE offset < ${assignments}`)
  database.close()
}

/** Everything that numbers are made of, and how many bodies there are. */
async function readStore() {
  const clickhouse = await openEmbeddedClickHouse({ directory: inStore() })
  const select = async (query: string) => {
    const answer = await clickhouse.reader.query({ query, format: 'JSONEachRow' })
    return (await answer.json<Record<string, unknown>>())[0]
  }
  try {
    return {
      assignments: await select(
        'SELECT count() AS n, sum(cityHash64(toString(tuple(* EXCEPT (days_overdue))))) AS content FROM rollcall.assignments',
      ),
      events: await select(
        'SELECT count() AS n, sum(cityHash64(event_id, assignment_id, event_time)) AS content FROM rollcall.events',
      ),
      people: await select('SELECT count() AS n, sum(cityHash64(toString(tuple(*)))) AS content FROM rollcall.people'),
      position: await select('SELECT max(next_offset) AS n FROM rollcall.log_positions'),
      bodies: Number((await select('SELECT count() AS n FROM rollcall.event_bodies FINAL'))?.['n']),
    }
  } finally {
    await clickhouse.close()
  }
}

function partsOf(table: string): string[] {
  const directory = realpathSync(inStore('data/rollcall', table))
  return readdirSync(directory)
    .filter((name) => name.startsWith('all_'))
    .map((name) => join(directory, name))
}

function readRows(part: string): number {
  return Number(readFileSync(join(part, 'count.txt'), 'utf8'))
}

async function mergeAll(tables: readonly string[]): Promise<void> {
  const clickhouse = await openEmbeddedClickHouse({ directory: inStore() })
  for (const table of tables) await clickhouse.writer.command({ query: `OPTIMIZE TABLE rollcall.${table} FINAL` })
  await clickhouse.close()
}

function flip(part: string): void {
  const file = ['data.bin', ...readdirSync(part).filter((name) => name.endsWith('.bin'))]
    .map((name) => join(part, name))
    .find(existsSync) as string
  const content = readFileSync(file)
  const middle = Math.floor(content.length / 2)
  content.fill(0xff, middle, middle + 8)
  rmSync(file)
  writeFileSync(file, content)
}

describe('rollcall store rebuild', () => {
  test('keeps every row of a store that cannot be opened, although the log has only the half of it', async () => {
    const before = await readStore()
    forgetHalfOfTheLog()
    for (const table of ['event_rows', 'open_versions']) truncateSync(inStore('metadata/rollcall', `${table}.sql`), 30)
    await expect(openEmbeddedClickHouse({ directory: inStore() })).rejects.toThrow('rollcall store rebuild')
    // Also where the link from a table's name to its rows is gone.
    rmSync(inStore('data/rollcall/event_rows'))

    const result = await rebuildStore(config, io)
    expect(result.outcome).toBe('done')
    expect(await readStore()).toEqual(before)
    expect(existsSync(String(result.data['aside_in']))).toBe(true)
  })

  test('takes the rows of its own directory where a link leads to another store, also of merged parts', async () => {
    const tables = ['event_rows', 'open_versions', 'closed_versions', 'user_versions']
    await mergeAll(tables)
    const before = await readStore()
    forgetHalfOfTheLog()
    const other = testDirectory()
    const empty = join(other, 'clickhouse')
    copyStoreTemplate(empty)
    for (const table of tables) {
      rmSync(inStore('data/rollcall', table))
      symlinkSync(realpathSync(join(empty, 'data/rollcall', table)), inStore('data/rollcall', table))
    }
    expect((await rebuildStore(config, io)).outcome).toBe('done')
    expect(await readStore()).toEqual(before)
  })

  test('takes each row once where a changed part stands beside the one that it was made of', async () => {
    const [part] = partsOf('event_rows') as [string]
    const rows = partsOf('event_rows').reduce((sum, each) => sum + readRows(each), 0)
    cpSync(part, `${part}_9`, { recursive: true })
    const { data } = await rebuildStore(config, io)
    const tables = data['tables'] as { table: string; rows: number }[]
    expect(tables.find(({ table }) => table === 'event_rows')?.rows).toBe(rows)
  })

  test('keeps the rows around damaged bytes, recomputes what follows from events, and reports what is lost', async () => {
    const before = await readStore()
    forgetHalfOfTheLog()
    for (const table of ['open_versions', 'user_versions']) flip(partsOf(table)[0] as string)
    const [bodies, broken] = partsOf('event_bodies') as [string, string]
    flip(bodies)
    if (broken !== undefined) rmSync(join(broken, 'columns.txt'))

    const result = await rebuildStore(config, io)
    expect(result.outcome).toBe('problems')
    const { bodies: left, ...after } = await readStore()
    const { bodies: all, ...content } = before
    expect(after).toEqual(content)
    const lost = (result.data['tables'] as { table: string; lost: number }[]).find(
      ({ table }) => table === 'event_bodies',
    )?.lost
    expect(lost).toBeGreaterThan(0)
    // The bodies that the log still has are there again.
    expect(left).toBeGreaterThanOrEqual(all - (lost ?? 0))
    expect(left).toBeGreaterThanOrEqual(all / 2)
    expect(result.lines.join('\n')).toMatch(/event_bodies: \d+ rows.* could not be read\./)
  })

  test('that is stopped before its last step is finished by the next start', async () => {
    const before = await readStore()
    const { data } = await rebuildStore(config, io)
    rmSync(String(data['aside_in']), { recursive: true })
    renameSync(inStore(), `${inStore()}.rebuilt`)
    expect(await readStore()).toEqual(before)
  })
})

test('a store from before the release is refused before anything is written, and a rebuild takes all of it over', async () => {
  const inOld = await openEmbeddedClickHouse({ directory: inStore() })
  // The marks of such a store: a table that later versions do not have, and a migration for each table.
  await inOld.writer.command({
    query: `CREATE TABLE rollcall.view_texts (name String, checksum String) ENGINE = MergeTree ORDER BY name`,
  })
  await inOld.writer.insert({
    table: 'rollcall.view_texts',
    values: [{ name: 'events', checksum: 'x' }],
    format: 'JSONEachRow',
  })
  await inOld.close()
  const before = readdirSync(inStore(), { recursive: true }).length
  await expect(openEmbeddedClickHouse({ directory: inStore() })).rejects.toThrow(
    /was made by a version before 1\.0.* Run: rollcall store rebuild\./,
  )
  expect(readdirSync(inStore(), { recursive: true })).toHaveLength(before)
  // Its log no longer has them: they come from the rows.
  rmSync(join(config.dataDir, 'log'), { recursive: true })
  const { outcome, data } = await rebuildStore(config, io)
  expect(outcome).toBe('done')
  expect((data as { unknown: string[] }).unknown).toEqual([])
  const store = await openEmbeddedClickHouse({ directory: inStore() })
  const answer = await store.reader.query({
    query: 'SELECT toUInt32(count()) AS n FROM rollcall.events',
    format: 'JSONEachRow',
  })
  expect(await answer.json()).toEqual([{ n: 2 * assignments }])
  await store.close()
})
