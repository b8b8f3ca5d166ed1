/** Style sheet, script, fonts and icon: bundled once at start, named by content, cached for ever by browsers. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AssetUrls } from '../page-context.ts'

export type Asset = { body: Uint8Array<ArrayBuffer>; type: string }

export type Assets = {
  urls: AssetUrls
  /** By file name, as under `/assets/`. */
  files: ReadonlyMap<string, Asset>
}

let opened: Promise<Assets> | undefined

/** Once for all dashboards of this process. */
export const openAssets = (): Promise<Assets> => (opened ??= readAssets())

async function readAssets(): Promise<Assets> {
  const [bundled, icon] = await Promise.all([
    readBundled(),
    readFile(new URL('./icon.svg', import.meta.url), 'utf8'),
  ])
  const files = new Map<string, Asset>()
  const add = (name: string, extension: string, text: string, type: string) => {
    const body = new TextEncoder().encode(text)
    const file = `${name}-${createHash('sha256').update(body).digest('hex').slice(0, 10)}.${extension}`
    files.set(file, { body, type })
    return `${assetPath}${file}`
  }
  const toText = (name: string) => {
    const body = bundled.get(name)
    if (body === undefined) throw new Error(`${name} was not built`)
    return new TextDecoder().decode(body)
  }
  for (const [name, body] of bundled)
    if (name.endsWith('.woff2')) files.set(name, { body: new Uint8Array(body), type: 'font/woff2' })
  const font = [...files.keys()].find((file) => file.startsWith(commonFont))
  if (font === undefined) throw new Error(`${commonFont} is not among the fonts of the style sheet`)
  return {
    urls: {
      css: add('rollcall', 'css', toText('main.css') + positionRules(), 'text/css; charset=utf-8'),
      js: add('rollcall', 'js', toText('main.js'), 'text/javascript; charset=utf-8'),
      icon: add('icon', 'svg', icon, 'image/svg+xml'),
      font: `${assetPath}${font}`,
    },
    files,
  }
}

const assetPath = '/assets/'
/** The font that every page needs: pages ask for it before the style sheet is read. */
const commonFont = 'inter-latin-wght-normal-'

/** A package has them ready (`scripts/build.ts`), a clone makes them of its sources. */
async function readBundled(): Promise<ReadonlyMap<string, Uint8Array>> {
  const directory = join(import.meta.dirname, 'built')
  if (!existsSync(directory)) return (await import('./bundle-assets.ts')).bundleAssets()
  const names = await readdir(directory)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)),
  )
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
