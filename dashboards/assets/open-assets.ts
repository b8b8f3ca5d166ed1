/** Style sheet, script, fonts and icon: bundled once at start, named by content, cached for ever by browsers. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type OutputFile } from 'esbuild'
import type { AssetUrls } from '../page-context.ts'

export type Asset = { body: Uint8Array<ArrayBuffer>; type: string }

export type Assets = {
  urls: AssetUrls
  /** By file name, as under `/assets/`. */
  files: ReadonlyMap<string, Asset>
}

/** Browsers from early 2024 on: `light-dark()` in style sheets, `Set` methods in scripts. */
const target = ['chrome123', 'firefox120', 'safari17.5']

export async function openAssets(): Promise<Assets> {
  const [style, script, icon] = await Promise.all([
    bundle('../styles/main.css'),
    bundle('../client/main.ts'),
    readFile(new URL('./icon.svg', import.meta.url), 'utf8'),
  ])
  const files = new Map<string, Asset>()
  const add = (name: string, extension: string, text: string, type: string) => {
    const body = new TextEncoder().encode(text)
    const file = `${name}-${createHash('sha256').update(body).digest('hex').slice(0, 10)}.${extension}`
    files.set(file, { body, type })
    return `${assetPath}${file}`
  }
  for (const { path, contents } of style.fonts)
    files.set(basename(path), { body: new Uint8Array(contents), type: 'font/woff2' })
  const font = [...files.keys()].find((file) => file.startsWith(commonFont))
  if (font === undefined) throw new Error(`${commonFont} is not among the fonts of the style sheet`)
  return {
    urls: {
      css: add('rollcall', 'css', style.text + positionRules(), 'text/css; charset=utf-8'),
      js: add('rollcall', 'js', script.text, 'text/javascript; charset=utf-8'),
      icon: add('icon', 'svg', icon, 'image/svg+xml'),
      font: `${assetPath}${font}`,
    },
    files,
  }
}

const assetPath = '/assets/'
/** The font that every page needs: pages ask for it before the style sheet is read. */
const commonFont = 'inter-latin-wght-normal-'

async function bundle(entry: string): Promise<{ text: string; fonts: OutputFile[] }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    // Nothing is written there; files beside the bundle need a place.
    outdir: '/assets',
    loader: { '.woff2': 'file' },
    assetNames: '[name]-[hash]',
    publicPath: assetPath,
    format: 'esm',
    target,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const fonts = outputFiles.filter(({ path }) => path.endsWith('.woff2'))
  const text = outputFiles.find(({ path }) => !path.endsWith('.woff2'))?.text
  if (text === undefined) throw new Error(`nothing was built from ${entry}`)
  return { text, fonts }
}

/**
 * Places in a plot as classes: `at-x-0` to `at-x-200` in half percents from the left, `at-y-0` to `at-y-100` in percents
 * from the top. The content security policy allows no inline style, and 302 short rules compress to about a kilobyte.
 */
export function positionRules(): string {
  const rules: string[] = []
  for (let i = 0; i <= 200; i++) rules.push(`.at-x-${i}{left:${i / 2}%}`)
  for (let i = 0; i <= 100; i++) rules.push(`.at-y-${i}{top:${i}%}`)
  return rules.join('')
}
