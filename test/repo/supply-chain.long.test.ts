/** The promises to a reader of the project: its parts are listed. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { describe, expect, test } from 'vitest'
import lockfile from '../../package-lock.json' with { type: 'json' }
import packageJson from '../../package.json' with { type: 'json' }
import { bundled } from '../../scripts/dist-contents.ts'

const root = join(import.meta.dirname, '../..')
describe('npm run sbom', () => {
  type Component = { name: string; version: string; purl: string; 'bom-ref': string }
  type Bom = { metadata: { component: Component }; components: Component[]; dependencies: { ref: string }[] }
  // Offline, as `npm_config_offline` has it for every npm below.
  const env = { ...process.env, npm_config_offline: 'true' }
  const { stdout, status } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  const toName = ({ purl }: Component) => decodeURIComponent(purl.replace('pkg:npm/', ''))

  test('prints a valid CycloneDX document', async () => {
    expect(status).toBe(0)
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(stdout)).toBeNull()
    const broken = stdout.replace('"type": "library"', '"type": "book"')
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(broken)).not.toBeNull()
  })

  test('lists everything that package-lock.json has for the product, what the package holds of others, and no tool', () => {
    const bom = JSON.parse(stdout) as Bom
    const packages = lockfile.packages as Record<string, { version: string; dev?: boolean }>
    const shipped = Object.entries(packages).flatMap(([path, { version, dev = false }]) =>
      path === '' || dev ? [] : [`${path.split('node_modules/').at(-1)}@${version}`],
    )
    shipped.push(...bundled.map((name) => `${name}@${packages[`node_modules/${name}`]?.version}`))
    expect(bom.components.map(toName).toSorted()).toEqual([...new Set(shipped)].toSorted())
    const names = bom.components.map(({ purl }) => decodeURIComponent(purl))
    for (const [name, version] of Object.entries(packageJson.dependencies)) {
      expect(names).toContain(`pkg:npm/${name}@${version}`)
    }
    expect(names.some((name) => name.includes('/vitest@'))).toBe(false)
    expect(toName(bom.metadata.component)).toBe(`rollcall@${packageJson.version}`)
    const refs = new Set(bom.components.map((component) => component['bom-ref']))
    expect(bom.dependencies.filter(({ ref }) => !refs.has(ref)).map(({ ref }) => ref)).toEqual([
      bom.metadata.component['bom-ref'],
    ])
  })
})
