import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The words that start the command line here. Images have no npx; a clone and a package have nothing else. */
export function rollcallCommand(path = process.env['PATH'] ?? ''): string {
  return path.split(delimiter).some((directory) => existsSync(join(directory, 'npx'))) ? 'npx rollcall' : 'rollcall'
}
