/**
 * Loads `.env` of the working directory, where there is one: `node --import` runs this before a main. Node's own option for
 * it prints a line where there is none. It is the first that a start loads, so it also turns the compile cache on.
 */
import './compile-cache.ts'
import { readFileSync } from 'node:fs'
import { loadEnvFile } from 'node:process'

try {
  // Of a file that may not be read, Node's loader says that there is none.
  readFileSync('.env')
  loadEnvFile('.env')
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT') {
    process.stderr.write(
      `.env cannot be read (${message}). It must be a file that the user of this process may read.\n`,
    )
    process.exit(2)
  }
}
