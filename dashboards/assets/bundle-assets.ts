/** Style sheet with its fonts and script, made of their sources: at the start of a clone, and once for a package. */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type OutputFile } from 'esbuild'

/** Browsers from early 2024 on: `light-dark()` in style sheets, `Set` methods in scripts. */
const target = ['chrome123', 'firefox120', 'safari17.5']

/** By file name: `main.css`, `main.js` and the fonts. */
export async function bundleAssets(): Promise<Map<string, Uint8Array>> {
  const files = await Promise.all([
    bundle(fileURLToPath(new URL('../styles/main.css', import.meta.url))),
    bundle(fileURLToPath(new URL('../client/main.ts', import.meta.url))),
  ])
  return new Map(files.flat().map(({ path, contents }) => [basename(path), contents]))
}

async function bundle(entry: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    // Nothing is written there; files beside the bundle need a place.
    outdir: '/assets',
    loader: { '.woff2': 'file' },
    assetNames: '[name]-[hash]',
    publicPath: '/assets/',
    format: 'esm',
    target,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return outputFiles
}
