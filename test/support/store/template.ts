/**
 * A store that is migrated and empty, made once per run. A copy of its directory takes milliseconds, migrating takes a
 * second. That migrating works is the subject of test/clickhouse/migrate.test.ts.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { childEnvironment } from '../processes/child.ts'
import { runDirectoryVariable } from '../run-directory.ts'

/** `directory` must not exist yet. `of`: views are not the same in the embedded product and on a server. */
export function copyStoreTemplate(directory: string, of: 'embedded' | 'server' = 'embedded'): void {
  mkdirSync(dirname(directory), { recursive: true })
  cpSync(findTemplate(of), directory, { recursive: true })
}

/** Of the run, else of this process. */
let place: string | undefined
function findPlace(): string {
  const run = process.env[runDirectoryVariable]
  if (run !== undefined) return run
  const own = mkdtempSync(join(tmpdir(), 'rollcall-template-'))
  process.once('exit', () => rmSync(own, { recursive: true, force: true }))
  return own
}

function findTemplate(of: 'embedded' | 'server'): string {
  place ??= findPlace()
  const template = join(place, `store-template-${of}`)
  if (existsSync(template)) return template
  const made = mkdtempSync(`${template}-`)
  const main = join(import.meta.dirname, 'template-main.ts')
  execFileSync(process.execPath, [main, join(made, 'store'), of], { env: childEnvironment(), stdio: 'inherit' })
  try {
    renameSync(join(made, 'store'), template)
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(template)) throw error
  }
  rmSync(made, { recursive: true })
  return template
}
