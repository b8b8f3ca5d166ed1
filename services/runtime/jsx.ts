/**
 * Lets Node load `.tsx` as written. Node strips the types of `.ts` by itself but does not know JSX; this hook, given to
 * `node --import`, hands `.tsx` files (and nothing else) to esbuild. The type checker stays `tsc --noEmit`.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.tsx')) return nextLoad(url, context)
    const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
      loader: 'tsx',
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'hono/jsx',
      sourcemap: 'inline',
      sourcefile: fileURLToPath(url),
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
