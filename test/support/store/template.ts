/**
 * A store that is migrated and empty, made once per run. A copy of its directory takes milliseconds, migrating takes a
 * second. That migrating works is the subject of test/clickhouse/migrate.test.ts.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { childEnvironment } from '../processes/child.ts'
import { makeOnce } from '../made-once.ts'

/** `directory` must not exist yet. `of`: views are not the same in the embedded product and on a server. */
export function copyStoreTemplate(directory: string, of: 'embedded' | 'server' = 'embedded'): void {
  mkdirSync(dirname(directory), { recursive: true })
  // The engine's links are relative: without this they would lead into the template.
  cpSync(findTemplate(of), directory, { recursive: true, verbatimSymlinks: true })
}

const findTemplate = (of: 'embedded' | 'server') =>
  makeOnce(`store-template-${of}`, (template) => {
    const words = [join(import.meta.dirname, 'template-main.ts'), template, of]
    execFileSync(process.execPath, words, { env: childEnvironment(), stdio: 'inherit' })
  })
