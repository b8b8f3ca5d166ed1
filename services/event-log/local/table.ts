/**
 * The local log's database, as writer and reader open it: one table, one row per record. Each record carries the sum of
 * sizes up to itself, so the bytes between two offsets are two look-ups at any length.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toDamagedError } from '../../config/start-error.ts'
import { toLogError } from './errors.ts'
import { rowColumns } from './row.ts'

const localTableSql = `
  CREATE TABLE IF NOT EXISTS records (
    offset INTEGER PRIMARY KEY,
    bytes_through INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    event_id TEXT NOT NULL,
    odd_request TEXT NOT NULL,
    body BLOB NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS trimmed (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    next_offset INTEGER NOT NULL,
    bytes_through INTEGER NOT NULL,
    log_id TEXT NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO trimmed VALUES (1, 0, 0, lower(hex(randomblob(16))));
`

/**
 * Throws a `StartError` where there is a file that cannot be used. `idIfNew`: the id of a log that is made now, of the log that
 * the store has read and that is gone. Default: a new one.
 */
export function openLocalDatabase(directory: string, idIfNew?: string): DatabaseSync {
  const file = join(directory, 'log.sqlite')
  // SQLite would start it over, and delete the write-ahead file.
  const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0
  if (isEmpty && ['log.sqlite-wal', 'stored-through.txt'].some((name) => existsSync(join(directory, name)))) {
    throw toDamagedError(file, 'the file is empty')
  }
  makeLogDirectory(directory)
  try {
    return openTable(directory, idIfNew)
  } catch (error) {
    throw toLogError(directory, error)
  }
}

export function lookInto<Result>(
  directory: string,
  look: (database: DatabaseSync) => Result,
  idIfNew?: string,
): Result {
  const database = openLocalDatabase(directory, idIfNew)
  try {
    database.exec('PRAGMA query_only = ON')
    return look(database)
  } finally {
    database.close()
  }
}

/** The directory of a log. It holds personal data: only its owner may read it. */
export function makeLogDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw toLogError(directory, error)
  }
}

function openTable(directory: string, idIfNew: string | undefined): DatabaseSync {
  const database = new DatabaseSync(join(directory, 'log.sqlite'), { timeout: 10_000 })
  try {
    // Page size: 1 KB bodies fill pages of 8 KB far better than the default's 4 KB. FULL: a commit in WAL mode is synced
    // before it returns. Checkpoints every 256 pages: at 1,000 (the default) a commit that has to do one takes twice as long.
    database.exec(`
      PRAGMA page_size = 8192;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 256;
      PRAGMA journal_size_limit = 67108864;
    `)
    const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'trimmed'`).get() !== undefined
    if (!exists) database.exec(`BEGIN IMMEDIATE; ${localTableSql} COMMIT`)
    if (!exists && idIfNew !== undefined) database.prepare('UPDATE trimmed SET log_id = ?').run(idIfNew)
    // SQLite syncs the directory of its files, but not that directory's own name.
    if (!exists) syncDirectory(dirname(directory))
    // Tables of these names may be somebody else's.
    database.prepare(`SELECT bytes_through, ${rowColumns} FROM records`)
    database.prepare('SELECT id, next_offset, bytes_through, log_id FROM trimmed')
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
