/**
 * Compiles Rollcall into `dist`, which the npm package and the images have: npm run build, and npm pack by itself.
 * Node takes no types away below `node_modules`. A clone runs its sources and needs none of this. Tests name another folder.
 *
 * Every output lies in one folder, because modules of all entries share chunks. The files that modules read lie below it as in
 * the sources, so `import.meta` of a module becomes its place below the root of the output.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { bundleAssets } from '../dashboards/assets/bundle-assets.ts'
import packageJson from '../package.json' with { type: 'json' }
import { bundled, mains } from './dist-contents.ts'

const root = join(import.meta.dirname, '..')
const named = process.argv[2]
const dist = named ?? join(root, 'dist')

const threads = {
  'ingest-thread': 'services/ingest/thread/thread-main.ts',
  'writer-thread': 'services/event-log/local/writer-thread.ts',
  'sql-process': 'services/sql-endpoint/process/sql-process.ts',
  'render-worker': 'dashboards/charts/render-worker.ts',
}
const outputs = new Map(
  Object.entries({ ...mains, ...threads }).map(([name, source]) => [source, `${name}.js`]),
)

/** The cache of compiled code has to be on before a main is loaded. */
const startNamespace = 'start'
const starts: Plugin = {
  name: 'starts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^start:/ }, ({ path }) => ({ path: path.slice(6), namespace: startNamespace }))
    onLoad({ filter: /.*/, namespace: startNamespace }, ({ path }) => ({
      contents: `import './services/runtime/env-file.ts'\nawait import('./${path}')\n`,
      resolveDir: root,
    }))
  },
}

const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      const source = relative(root, path)
      if (source.startsWith('node_modules')) return undefined
      const folder = dirname(source)
      const contents = readFileSync(path, 'utf8')
        .replaceAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (_, file: string) => {
          const target = posix.join(folder, file)
          const output = target.endsWith('.ts') ? outputs.get(target) : target
          if (output === undefined)
            throw new Error(`${source} starts ${target}, which is no entry of the build`)
          return `new URL('./${output}', import.meta.url)`
        })
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`)
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

// A folder that somebody names may hold files of theirs.
if (named === undefined) rmSync(dist, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    ...Object.fromEntries(Object.entries(mains).map(([name, source]) => [name, `start:${source}`])),
    ...threads,
  },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  chunkNames: 'chunk-[hash]',
  sourcemap: true,
  // The maps name files and lines of the repository.
  sourcesContent: false,
  metafile: true,
  external: [
    ...Object.keys({
      ...packageJson.dependencies,
      ...packageJson.optionalDependencies,
      ...packageJson.peerDependencies,
    }),
    // Its output is in the package.
    './bundle-assets.ts',
  ],
  plugins: [starts, places],
  logLevel: 'warning',
})

for (const file of globSync('{dashboards,digest,reporting,schemas,services}/**/*.{sql,svg}', { cwd: root })) {
  cpSync(join(root, file), join(dist, file))
}
const assets = join(dist, 'dashboards/assets/built')
mkdirSync(assets, { recursive: true })
for (const [name, body] of await bundleAssets()) writeFileSync(join(assets, name), body)

const packages = Object.keys(metafile.inputs).flatMap(
  (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
)
const all = [...new Set([...packages, '@fontsource-variable/inter'])].toSorted()
if (all.join() !== bundled.join())
  throw new Error(`scripts/dist-contents.ts must list what dist holds: ${all.join(', ')}`)
const licenses = bundled.map((name) => {
  const folder = join(root, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return `=== ${name} ${version} ===\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`
})
writeFileSync(join(dist, 'third-party-licenses.txt'), licenses.join('\n'))
