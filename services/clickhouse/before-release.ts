/**
 * Stores of versions before 1.0. 1.0 does not continue them: it refuses them before it writes anything. `rollcall store rebuild` and
 * `rollcall restore` take their rows over, because the columns that matter have the same names.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../config/start-error.ts'

/** A table that only they have. Nothing of it is needed any more. */
export const tableBeforeRelease = 'view_texts'

/** They recorded one migration per table, with four digits. */
export function hasMigrationsBeforeRelease(recorded: Iterable<string>): boolean {
  return [...recorded].includes('0001_event_rows.sql')
}

/** Told by its files, before the engine opens and writes anything. */
export function isStoreBeforeRelease(directory: string): boolean {
  return existsSync(join(directory, `metadata/rollcall/${tableBeforeRelease}.sql`))
}

export function refuseStoreBeforeRelease(directory: string): void {
  if (!isStoreBeforeRelease(directory)) return
  throw new StartError(
    `The store in ${directory} was made by a version before 1.0, which this version does not continue. ` +
      'Run: rollcall store rebuild. It takes all of its rows into a new store, and keeps the old one beside it.',
  )
}

export function refuseDatabaseBeforeRelease(recorded: Iterable<string>): void {
  if (!hasMigrationsBeforeRelease(recorded)) return
  throw new StartError(
    'The database rollcall was made by a version before 1.0, which this version does not continue. Its deliveries stay readable there: ' +
      'point CLICKHOUSE_URL to another server, and let the event log be read again from its beginning.',
  )
}
