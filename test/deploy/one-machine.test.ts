/** deploy/one-machine where no Docker is: against the schema of compose files, the configuration and the image. No image was built. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkSignIn } from '../../dashboards/access/entrance.ts'
import { parseConfig, variables } from '../../services/config/config.ts'
import { compileComposeSchema } from './compose-schema.ts'
import { readDockerfile, toImage } from './dockerfile.ts'

const directory = join(import.meta.dirname, '../../deploy/one-machine')
const caddyfile = readFileSync(join(directory, 'Caddyfile'), 'utf8')
const compose = parse(readFileSync(join(directory, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<'rollcall' | 'caddy', Record<string, unknown> & { environment: Record<string, string> }>
  networks: { inside: { ipam: { config: { subnet: string }[] } } }
}
const { rollcall, caddy } = compose.services
const image = toImage(readDockerfile(), 'embedded')

describe('embedded mode behind Caddy', () => {
  test('is what the published schema of compose files says', () => {
    const validate = compileComposeSchema()
    expect(validate(compose), JSON.stringify(validate.errors, null, 1)).toBe(true)
  })

  test('is reached through Caddy only, by HTTPS, on ports that the image listens on', () => {
    expect(rollcall['ports']).toBeUndefined()
    expect(caddy['ports']).toEqual(['80:80', '443:443', '443:443/udp'])
    const ports = [...caddyfile.matchAll(/reverse_proxy rollcall:(\d+)/g)].map(([, port]) => Number(port))
    expect(ports).toEqual([Number(variables.ingestPort.default), Number(variables.dashboardPort.default)])
    for (const port of ports) expect(image.exposed).toContain(port)
    expect(caddyfile).toMatch(/handle \/webhooks\/\* \{\s+reverse_proxy rollcall:8080/)
    // Addresses of webhooks are secrets.
    expect(caddyfile).not.toMatch(/^\s*log\b/m)
    expect(caddy['image']).toMatch(/^caddy:\d+\.\d+/)
  })

  test('can be used as it stands: people sign in, and only Caddy is believed', () => {
    const environment = Object.fromEntries(
      Object.entries(rollcall.environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{DOMAIN[^}]*\}/g, 'rollcall.example.com').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
      ]),
    )
    const parsed = parseConfig({ HOST: '0.0.0.0', DATA_DIR: '/data', ...environment })
    expect(parsed).toMatchObject({ ok: true })
    if (parsed.ok) expect(() => checkSignIn(parsed.config)).not.toThrow()
    const known = Object.values(variables).map(({ name }) => name as string)
    for (const name of Object.keys(environment)) expect(known).toContain(name)
    const subnet = compose.networks.inside.ipam.config[0]?.subnet
    expect(environment).toMatchObject({ DASHBOARD_TRUSTED_PROXIES: subnet, INGEST_TRUSTED_PROXIES: subnet })
  })

  test('keeps its data in the volume of the image, and certificates in another', () => {
    expect(rollcall['volumes']).toEqual([`data:${image.volumes[0]}`])
    expect(caddy['volumes']).toContain('caddy:/data')
  })
})
