/**
 * Lets Node load `.tsx` as written. Node strips the types of `.ts` by itself but does not know JSX; this hook, given to
 * `node --import`, hands `.tsx` files (and nothing else) to esbuild. The type checker stays `tsc --noEmit`.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as esbuild from 'esbuild'
import { compileCacheDirectory } from './compile-cache.ts'

const require = createRequire(import.meta.url)
const { version } = require('esbuild/package.json') as { version: string }

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.tsx')) return nextLoad(url, context)
    return { format: 'module', source: readTransformed(fileURLToPath(url)), shortCircuit: true }
  },
})

/** Kept by content, so that only a changed file starts esbuild, which is a process of its own. */
function readTransformed(path: string): string {
  const text = readFileSync(path, 'utf8')
  const key = createHash('sha256')
    .update(JSON.stringify([version, path, text]))
    .digest('hex')
  const file = join(compileCacheDirectory, `jsx-${key}.js`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const code = transform(path, text)
    keep(file, code)
    return code
  }
}

function transform(path: string, text: string): string {
  const { transformSync } = require('esbuild') as typeof esbuild
  return transformSync(text, {
    loader: 'tsx',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    sourcemap: 'inline',
    sourcefile: path,
  }).code
}

/** Renamed into its place, because several processes may start at once. */
function keep(file: string, code: string): void {
  try {
    mkdirSync(compileCacheDirectory, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, code)
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // A folder that cannot be written, or a full disk: the next start does it again.
  }
}
