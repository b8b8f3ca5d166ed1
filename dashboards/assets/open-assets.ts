/** The style sheet, the script and the icon: bundled once at start, named by content, cached for ever by browsers. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { AssetUrls } from '../page-context.ts'
import { positionRules } from './position-rules.ts'

export type Asset = { body: Uint8Array<ArrayBuffer>; type: string }

export type Assets = {
  urls: AssetUrls
  /** By file name, as under `/assets/`. */
  files: ReadonlyMap<string, Asset>
}

/** Browsers from early 2024 on: `light-dark()` in style sheets, `Set` methods in scripts. */
const target = ['chrome123', 'firefox120', 'safari17.5']

export async function openAssets(): Promise<Assets> {
  const [css, js, icon] = await Promise.all([
    bundle('../styles/main.css'),
    bundle('../client/main.ts'),
    readFile(new URL('./icon.svg', import.meta.url), 'utf8'),
  ])
  const files = new Map<string, Asset>()
  const add = (name: string, extension: string, text: string, type: string) => {
    const body = new TextEncoder().encode(text)
    const file = `${name}-${createHash('sha256').update(body).digest('hex').slice(0, 10)}.${extension}`
    files.set(file, { body, type })
    return `/assets/${file}`
  }
  return {
    urls: {
      css: add('rollcall', 'css', css + positionRules(), 'text/css; charset=utf-8'),
      js: add('rollcall', 'js', js, 'text/javascript; charset=utf-8'),
      icon: add('icon', 'svg', icon, 'image/svg+xml'),
    },
    files,
  }
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`nothing was built from ${entry}`)
  return file.text
}
