/**
 * Before a version changes the tables of an embedded store, it keeps the store as it was, by links to files that never change. An
 * upgrade that fails, or a process that ends in it, leaves that copy; the version before finds it at its start and puts it back.
 * Beside the store stands which migrations it has, because that is asked before the engine opens.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { StartError } from '../../config/start-error.ts'
import { replaceFile } from '../../config/whole-file.ts'
import { linkAll } from '../../runtime/files/link-all.ts'
import { readSchemaFiles } from '../migrate.ts'

const toCopy = (directory: string) => `${directory}.before-upgrade`
/** Leftovers of a crash are removed at the next start. */
const toRemoved = (directory: string) => `${directory}.removed`
const toList = (directory: string) => `${directory}.schema.json`

/** Names of the migrations that the store has. `undefined`: no version has finished a start on it. */
export function readMigrations(directory: string): string[] | undefined {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(toList(directory), 'utf8')))
  } catch {
    return undefined
  }
}

/** Before the engine opens, by the process that has the store's lock. `known`: the migrations of this version. */
export function prepareUpgrade(directory: string, migrations: readonly string[] = listMigrations()): void {
  const [copy, removed] = [toCopy(directory), toRemoved(directory)]
  rmSync(removed, { recursive: true, force: true })
  const recorded = readMigrations(directory)
  const has = new Set(recorded)
  const isPending = migrations.some((name) => !has.has(name))
  if (existsSync(copy)) {
    // The upgrade was not finished. A version that still brings it goes on with it.
    if (isPending) return
    if (existsSync(directory)) renameSync(directory, removed)
    renameSync(copy, directory)
    rmSync(removed, { recursive: true, force: true })
    return
  }
  const isNewer = recorded?.some((name) => !migrations.includes(name))
  if (recorded === undefined || !isPending || isNewer || !existsSync(directory)) return
  const building = `${copy}.building`
  rmSync(building, { recursive: true, force: true })
  try {
    linkAll(directory, building)
    renameSync(building, copy)
  } catch (cause) {
    rmSync(building, { recursive: true, force: true })
    const why = (cause as Error).message
    const message = `Before the upgrade the store is kept as it was in ${copy}, which failed: ${why}. Nothing was changed.`
    throw new StartError(message, { cause })
  }
}

/** When the store has the tables of this version. Throws a `StartError` where the disk refuses. */
export function finishUpgrade(directory: string): void {
  const migrations = listMigrations()
  const [copy, removed, list] = [toCopy(directory), toRemoved(directory), toList(directory)]
  try {
    // First the copy, so that none is left that belongs to a version before the list.
    if (existsSync(copy)) renameSync(copy, removed)
    if (readMigrations(directory)?.join() !== migrations.join())
      replaceFile(list, `${JSON.stringify(migrations, null, 2)}\n`)
    rmSync(removed, { recursive: true, force: true })
  } catch (cause) {
    const why = (cause as Error).message
    const message = `The store in ${directory} is ready, but its schema could not be noted beside it: ${why}. Make room there, and start again.`
    throw new StartError(message, { cause })
  }
}

function listMigrations(): string[] {
  return readSchemaFiles('migrations').map(({ name }) => name)
}
