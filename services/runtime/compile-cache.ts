/**
 * Keeps what Node and esbuild make of our sources beside the packages: half of the processor time of a start is taking types away and
 * compiling. Where that folder cannot be written, as in an image, nothing is kept and everything works.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/** Who can write here can write the packages, too. */
export const compileCacheDirectory = join(import.meta.dirname, '../../node_modules/.cache/rollcall')

enableCompileCache(compileCacheDirectory)
