/**
 * Before a whole run of tests: one directory for all its files, in memory where the machine has room for it. A test is
 * about what is stored, not about how long this machine's disk takes to sync it. TMPDIR, if set, stays as it is.
 */
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { compileCacheDirectory } from '../../services/runtime/compile-cache.ts'

/** Names the directory of the run. Not set where helpers of the tests are used by other programs. */
export const runDirectoryVariable = 'ROLLCALL_TEST_RUN'

const prefix = 'rollcall-tests-'
const memoryDirectory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

export function setup(): () => void {
  const parent = process.env['TMPDIR'] === undefined && hasRoomInMemory() ? memoryDirectory : tmpdir()
  removeLeftovers(parent)
  const directory = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // The processes that run the test files inherit these.
  process.env['TMPDIR'] = directory
  process.env[runDirectoryVariable] = directory
  // Otherwise each of their processes and threads loads the compiler that strips types for its first modules.
  process.env['NODE_COMPILE_CACHE'] = compileCacheDirectory
  return () => rmSync(directory, { recursive: true, force: true })
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryDirectory)
    return Math.min(bavail * bsize, freemem()) >= neededBytes
  } catch {
    return false
  }
}

/** Leftovers of runs that were killed: their process is no more. */
export function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (pid > 0 && !isRunning(pid)) removeBesideOthers(join(parent, name))
  }
}

/** Another run may remove the same one at this moment, or something in it is in use: the rest is for the next run. */
function removeBesideOthers(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  } catch {
    // Not every cause of it has a code (Node 24: EBUSY has none), and none is a reason not to test.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
