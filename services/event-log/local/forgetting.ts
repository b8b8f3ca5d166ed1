/**
 * Removed records leave the disk, not only the table: they hold names, and what retention has ended must not be found in any
 * file. SQLite overwrites what is removed with zeros (`secure_delete`); what its write-ahead file still has of before is cut off here.
 */
import type { DatabaseSync } from 'node:sqlite'

/** A cut costs two syncs. */
const cutIntervalMs = 10_000

/** `elapsed`: ms of a clock that only goes forward. */
export function createForgetting(database: DatabaseSync, elapsed = () => performance.now()) {
  database.exec('PRAGMA secure_delete = ON')
  const cut = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  let isDue = false
  let cutAt = -Infinity

  /** Does not wait for a reader in the middle of something, such as a backup: appends would wait as well. */
  function tryToCut(): boolean {
    const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number }
    database.exec('PRAGMA busy_timeout = 0')
    try {
      return (cut.get() as { busy: number }).busy === 0
    } finally {
      database.exec(`PRAGMA busy_timeout = ${timeout}`)
    }
  }

  return {
    /** Records were removed. */
    removed: () => void (isDue = true),
    /** Nothing is left to be removed at present. */
    settled(): void {
      if (!isDue || elapsed() - cutAt < cutIntervalMs) return
      cutAt = elapsed()
      isDue = !tryToCut()
    },
  }
}
