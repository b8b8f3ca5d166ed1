import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { CommandError } from '../runtime/control/command.ts'

/**
 * Without this check, a typing error in DATA_DIR would look like an empty Rollcall. One of the files must
 * exist.
 */
export function requireData({ dataDir }: Config, ...files: string[]): void {
  if (files.some((file) => existsSync(join(dataDir, file)))) return
  throw new CommandError('usage', `There is no Rollcall store in ${dataDir}. Nothing was created.`)
}
