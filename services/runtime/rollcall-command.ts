import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { environment } from '../config/config.ts'

/** The words that start the command line here. Images have no npx; a clone and a package have nothing else. */
export function rollcallCommand(path = environment()['PATH'] ?? ''): string {
  return path.split(delimiter).some((directory) => existsSync(join(directory, 'npx')))
    ? 'npx rollcall'
    : 'rollcall'
}
