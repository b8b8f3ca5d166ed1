/** After an erasure nothing of the person is in any file of the store. The files are made readable: without compression. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbeddedClickHouse, type EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import { insertRows } from '../../services/clickhouse/insert-rows.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { storeGuides } from '../../services/sync/pull/guide-rows.ts'

let parent: string
let directory: string
let store: EmbeddedClickHouse
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'rollcall-erasure-'))
  directory = join(parent, 'clickhouse')
  copyStoreTemplate(directory)
  store = await openEmbeddedClickHouse({ directory })
  await storeUncompressed()
})
afterAll(async () => {
  await store.close()
  await rm(parent, { recursive: true, force: true })
})

async function rows<Row>(query: string): Promise<Row[]> {
  return (await store.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
}

type Column = { table: string; name: string; type: string }
const ourColumns = () =>
  rows<Column>(
    `SELECT table, name, type FROM system.columns WHERE database = 'rollcall' AND default_kind != 'EPHEMERAL'
     AND table IN (SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree')`,
  )

/** So that a search for bytes in the files finds what is in the columns. */
async function storeUncompressed(): Promise<void> {
  const columns = await ourColumns()
  for (const table of new Set(columns.map((column) => column.table))) {
    const settings = 'compress_primary_key = 0, compress_marks = 0'
    await store.writer.command({ query: `ALTER TABLE rollcall.${table} MODIFY SETTING ${settings}` })
  }
  for (const { table, name, type } of columns) {
    if (!type.includes('String')) continue
    await store.writer.command({ query: `ALTER TABLE rollcall.${table} MODIFY COLUMN ${name} CODEC(NONE)` })
  }
}

/** Files that hold one of the texts, in whatever case, plain or as JSON, UTF-16 or base64 would write it. */
async function findInFiles(...texts: string[]): Promise<string[]> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of names.filter((name) => name.isFile())) {
    const path = join(file.parentPath, file.name)
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    const content = bytes.toString('latin1').toLowerCase()
    const isHere = (text: string) =>
      content.includes(Buffer.from(text).toString('latin1').toLowerCase()) ||
      content.includes(Buffer.from(text, 'utf16le').toString('latin1').toLowerCase())
    if (texts.some(isHere)) found.push(path.slice(directory.length))
  }
  return found
}

/** Columns that hold one of the texts, also under NULL. */
async function findInColumns(...texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const [table = '', columns = []] of Map.groupBy(await ourColumns(), (column) => column.table)) {
    const counts = columns.map(({ name, type }, index) => {
      const value = type.startsWith('Nullable') ? `toString(assumeNotNull(${name}))` : `toString(${name})`
      const matches = texts.map((text) => `positionCaseInsensitiveUTF8(${value}, '${text}') > 0`).join(' OR ')
      return `countIf(${matches}) > 0 AS found_${index}`
    })
    const [row = {}] = await rows<Record<string, boolean>>(`SELECT ${counts.join(', ')} FROM rollcall.${table}`)
    found.push(...columns.flatMap(({ name }, index) => (row[`found_${index}`] ? [`${table}.${name}`] : [])))
  }
  return found
}

const ada = { id: 7, name: 'Ada Moreno', email: 'ada@example.com', customFields: { born: '1985-12-10' } }
const bo = { id: '8', name: 'Bo Lind', email: 'bo@example.com', groups: [{ id: 't1', name: 'Team of Ada Moreno' }] }
/** That a digest went to somebody. */
const mailed = {
  kind: 'digest',
  period: '2026-03-02',
  claim: 'c',
  step: 2,
  at: monday,
  state: 'sent',
  keep_until: 4_000_000_000,
}
const searched = ['ada moreno', 'ada@example', '1985-12-10']

const titled = (body: Uint8Array) => Buffer.from(body.toString().replace('First call', 'Welcome, Ada Moreno!'))
const toDeliveries = (from: number) => [
  titled(toBody('Created', `a${from}`, monday + from, {}, ada)),
  titled(toBody('Progress', `a${from}`, monday + day + from, {}, { ...ada, name: 'Moreno, Ada' })),
  toBody('Created', `b${from}`, monday + from, {}, bo),
  Buffer.from(`{"eventType":"guide.shared","timestamp":${monday + from},"message":"Ask ADA@example.com"}`),
  Buffer.from(`ada@example.com is no JSON ${from}`),
]

async function deliver(from: number): Promise<void> {
  const consumer = createConsumer({ client: store.writer })
  const offset = await consumer.resumeFrom(0)
  const records = toDeliveries(from).map((body, index) => toRecord(body, offset + index))
  // One batch each, so that parts are merged, and old ones lie about.
  for (const record of records) await consumer.handle(toBatch([record]))
  const pulled = { userId: '7', observedAtMs: monday + from, isDeleted: false, isPermanentlyDeleted: false }
  const said = { teams: [{ id: 't1', name: 'Team of Ada Moreno' }], managers: undefined, directReports: undefined }
  await storePulledPeople(store.writer, createPeople(store.writer), [
    { ...pulled, ...said, name: 'Ada Moreno', email: 'ada@example.com' },
  ])
  await storeGuides(store.writer, [{ id: 'g1', title: 'Ask Ada Moreno', tags: ['Ada Moreno'] }], monday + from)
}

const erase = () => erasePerson({ client: store.writer, userId: '7', settle: () => Promise.resolve() })

test(
  'nothing of an erased person is in any file of the store, nor in what comes later',
  { timeout: 120_000 },
  async () => {
    await deliver(0)
    await insertRows(store.writer, 'guide_order_rows', [
      {
        order_id: 'o',
        asked_at: monday,
        asked_by: 'Ada Moreno',
        reason: 'For the team of Ada Moreno',
        guide_id: 'g1',
        guide_title: 'Ask Ada Moreno',
        user_ids: ['8'],
        due_date: 0,
        again: false,
      },
    ])
    await insertRows(store.writer, 'guide_order_steps', [
      {
        order_id: 'o',
        user_id: '8',
        step: 1,
        runner: 'r',
        at: monday,
        state: 'refused',
        assignment_id: '',
        known_ids: [],
        detail: 'Ada Moreno said no',
      },
    ])
    await insertRows(store.writer, 'access_people', [
      { login: 'ada@example.com', role: 'manager', user_id: '', changed_at: monday, changed_by: 'owner' },
      { login: 'sub:a-d-a', role: 'manager', user_id: '7', changed_at: monday, changed_by: 'owner' },
    ])
    await insertRows(store.writer, 'digest_subscriptions', [
      { login: 'sub:a-d-a', email: 'Ada@example.com', frequency: 'weekly', user_id: '', changed_at: monday },
      { login: 'bo@example.com', email: '', frequency: 'weekly', user_id: '8', changed_at: monday },
    ])
    await insertRows(store.writer, 'digest_sends', [
      { ...mailed, recipient: 'ada@example.com', address: 'ada@example.com' },
      { ...mailed, recipient: 'sub:a-d-a', address: 'Ada@example.com' },
      { ...mailed, recipient: 'bo@example.com', address: 'bo@example.com' },
    ])
    // The search can find something.
    expect(await findInFiles('ada moreno')).not.toEqual([])
    expect(await findInFiles('1985-12-10')).not.toEqual([])
    expect(await findInColumns(...searched)).toEqual(expect.arrayContaining(['names.name', 'user_observations.name']))

    const erasure = await erase()
    expect(erasure).toMatchObject({ titles: 6, oldParts: 0 })
    expect(await findInColumns(...searched)).toEqual([])
    expect(await findInFiles(...searched)).toEqual([])

    expect(await rows('SELECT login FROM rollcall.digest_subscriptions')).toEqual([{ login: 'bo@example.com' }])
    expect(await rows('SELECT recipient FROM rollcall.digest_sends')).toEqual([{ recipient: 'bo@example.com' }])

    await deliver(100)
    expect(await findInColumns(...searched)).toEqual([])
    expect(await findInFiles(...searched)).toEqual([])
    // What is left of a title is shown, and stays.
    expect(await rows('SELECT kind, name FROM rollcall.names FINAL ORDER BY kind, name')).toEqual([
      { kind: 'challenge', name: 'First call' },
      { kind: 'challenge', name: 'Welcome, [erased]!' },
      { kind: 'team', name: 'Team of [erased]' },
    ])
    expect(await rows('SELECT title, tags FROM rollcall.guide_rows FINAL')).toEqual([
      { title: 'Ask [erased]', tags: ['[erased]'] },
    ])
    expect(await rows('SELECT asked_by, reason, guide_title FROM rollcall.guide_order_rows')).toEqual([
      { asked_by: '[erased]', reason: 'For the team of [erased]', guide_title: 'Ask [erased]' },
    ])
  },
)
