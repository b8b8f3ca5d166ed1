/**
 * Prints what Rollcall ships as a CycloneDX document: npm run --silent sbom > sbom.cdx.json
 * Reads package-lock.json only, so it needs no network. Not by `npm sbom --omit=dev`: that leaves out every package that a
 * development tool needs as well, zod and jose among them.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundled } from './dist-contents.ts'

type Ref = { 'bom-ref': string }
type Bom = {
  metadata: { component: Ref & { name: string } }
  components: (Ref & { name: string; version: string })[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}
type Locked = Record<string, { name?: string; version?: string; dev?: boolean }>

const root = join(import.meta.dirname, '..')
const words = [
  'sbom',
  '--package-lock-only',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--offline',
]
const npm = spawnSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 1024 ** 3 })
if (npm.status !== 0) {
  process.stderr.write(`${npm.error?.message ?? npm.stderr}\n`)
  process.exit(1)
}
const bom = JSON.parse(npm.stdout) as Bom
const product = bom.metadata.component
const shipped = new Set([product['bom-ref'], ...listShipped()])
// npm names it after its folder.
product.name = 'rollcall'
bom.components = bom.components.filter((component) => shipped.has(component['bom-ref']))
bom.dependencies = bom.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) }))
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`)

/** As `name@version`. A package can be in several places, in one of them only for development. */
function listShipped(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Locked
  }
  const folders = new Set(bundled.map((name) => `node_modules/${name}`))
  return Object.entries(packages).flatMap(([path, { name, version, dev = false }]) =>
    path === '' || (dev && !folders.has(path))
      ? []
      : [`${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`],
  )
}
