/**
 * The local log's database, as its writer and its reader both open it: one table, one row per record. Each record
 * carries the sum of sizes up to itself, so that the bytes between two offsets are two lookups at any length of log.
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const localTableSql = `
  CREATE TABLE IF NOT EXISTS records (
    offset INTEGER PRIMARY KEY,
    bytes_through INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    event_id TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS trimmed (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    next_offset INTEGER NOT NULL,
    bytes_through INTEGER NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO trimmed VALUES (1, 0, 0);
`

/** What a record costs on disk beside its body, key and source; measured, and rounded up. */
const recordOverheadBytes = 80

export function sizeOf(record: { body: Uint8Array; key: string; source: string }): number {
  return record.body.byteLength + record.key.length + record.source.length + recordOverheadBytes
}

export type LocalTableOptions = {
  /** Whether freed pages can go back to the disk; decided when the file is made. Costs a little on every write. */
  shrinks?: boolean
}

export function openLocalDatabase(directory: string, { shrinks = false }: LocalTableOptions = {}): DatabaseSync {
  // The log holds people's data: its directory is the owner's alone.
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(directory, 'log.sqlite'), { timeout: 10_000 })
  try {
    // Page size: 1 KB bodies fill pages of 8 KB far better than the default's 4 KB. FULL: a commit in WAL mode is synced
    // before it returns. Checkpoints every 256 pages: at 1,000 (the default) a commit that has to do one takes twice as long.
    database.exec(`
      PRAGMA page_size = 8192;
      ${shrinks ? 'PRAGMA auto_vacuum = INCREMENTAL;' : ''}
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 256;
      PRAGMA journal_size_limit = 67108864;
    `)
    const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'trimmed'`).get() !== undefined
    if (!exists) database.exec(`BEGIN IMMEDIATE; ${localTableSql} COMMIT`)
    // SQLite syncs the directory its files are in, but not that directory's own name.
    if (!exists) syncDirectory(dirname(directory))
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

function syncDirectory(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
