/** Directories that every test of a run needs and one of them makes. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runDirectoryVariable } from './run-directory.ts'

/** Returns the directory of this name of the run, else of this process. `make` gets a path where nothing is yet. */
export function makeOnce(name: string, make: (directory: string) => void): string {
  const directory = toPlace(name)
  if (existsSync(directory)) return directory
  const parent = mkdtempSync(`${directory}-`)
  make(join(parent, name))
  try {
    renameSync(join(parent, name), directory)
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(directory)) throw error
  }
  rmSync(parent, { recursive: true })
  return directory
}

/** Whether there is one of this name. */
export const isMade = (name: string): boolean => existsSync(toPlace(name))

let place: string | undefined
const toPlace = (name: string) => join((place ??= findPlace()), name)

function findPlace(): string {
  const run = process.env[runDirectoryVariable]
  if (run !== undefined) return run
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-made-once-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
