/** The content of the files of a store: they are made readable, without compression. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'

type Store = Pick<EmbeddedClickHouse, 'reader' | 'writer'>

export async function readRows<Row>(store: Store, query: string): Promise<Row[]> {
  return (await store.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
}

type Column = { table: string; name: string; type: string }
const readColumns = (store: Store) =>
  readRows<Column>(
    store,
    `SELECT table, name, type FROM system.columns WHERE database = 'rollcall' AND default_kind != 'EPHEMERAL'
     AND table IN (SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree')`,
  )

/** So that a search for bytes in the files finds the text of the columns. */
export async function storeUncompressed(store: Store): Promise<void> {
  const columns = await readColumns(store)
  for (const table of new Set(columns.map((column) => column.table))) {
    const settings = 'compress_primary_key = 0, compress_marks = 0'
    await store.writer.command({ query: `ALTER TABLE rollcall.${table} MODIFY SETTING ${settings}` })
  }
  for (const { table, name, type } of columns) {
    if (!type.includes('String')) continue
    await store.writer.command({ query: `ALTER TABLE rollcall.${table} MODIFY COLUMN ${name} CODEC(NONE)` })
  }
}

/** Files that hold one of the texts, in whatever case, plain or in UTF-16. What goes away meanwhile does not count. */
export function findInFilesOf(path: string, texts: readonly string[]): string[] {
  try {
    if (statSync(path).isDirectory())
      return readdirSync(path).flatMap((name) => findInFilesOf(join(path, name), texts))
    const content = readFileSync(path).toString('latin1').toLowerCase()
    const forms = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')])
    return forms.some((form) => content.includes(form.toString('latin1').toLowerCase())) ? [path] : []
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

/** Columns that hold one of the texts, also under NULL. */
export async function findInColumnsOf(store: Store, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const [table = '', columns = []] of Map.groupBy(await readColumns(store), (column) => column.table)) {
    const counts = columns.map(({ name, type }, index) => {
      const value = type.startsWith('Nullable') ? `toString(assumeNotNull(${name}))` : `toString(${name})`
      const matches = texts.map((text) => `positionCaseInsensitiveUTF8(${value}, '${text}') > 0`).join(' OR ')
      return `countIf(${matches}) > 0 AS found_${index}`
    })
    const [row = {}] = await readRows<Record<string, boolean>>(
      store,
      `SELECT ${counts.join(', ')} FROM rollcall.${table}`,
    )
    found.push(...columns.flatMap(({ name }, index) => (row[`found_${index}`] ? [`${table}.${name}`] : [])))
  }
  return found
}
