/** deploy/kubernetes where no cluster is: against the types and schemas of the Kubernetes API, and our configuration. */
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { checkSignIn } from '../../dashboards/access/entrance.ts'
import { parseConfig, variables } from '../../services/config/config.ts'
import { toImage } from './dockerfile.ts'
import { testDirectory } from '../support/directories.ts'

const root = join(import.meta.dirname, '../..')
const directory = join(root, 'deploy/kubernetes')

type Kustomization = {
  resources: string[]
  images: { name: string }[]
  configMapGenerator: { name: string; literals: string[] }[]
}
const kustomization = parse(readFileSync(join(directory, 'kustomization.yaml'), 'utf8')) as Kustomization

type Container = {
  name: string
  image: string
  env: { name: string }[]
  ports: { name: string; containerPort: number }[]
  startupProbe: unknown
  livenessProbe: unknown
  readinessProbe: unknown
  resources: { limits: { memory: string } }
  securityContext: unknown
}
type PodTemplate = { metadata: { labels: Record<string, string> }; spec: { containers: Container[] } }
type Resource = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec: Record<string, unknown> & {
    template?: PodTemplate
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>
    replicas?: number
  }
}

const resources = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readFileSync(join(directory, file), 'utf8')).map(
    (document) => document.toJS() as Resource,
  ),
)
const workloads = resources.filter(({ spec }) => spec?.template !== undefined)
const named = (kind: string, name: string) =>
  resources.find((resource) => resource.kind === kind && resource.metadata.name === name)

/** The core group has no name in its apiVersion. */
const toModule = ({ apiVersion }: Resource) => `kubernetes-models/${apiVersion}`

describe('the example for Kubernetes', () => {
  test('has no field that the API does not know: the schemas let those pass, its types do not', () => {
    const temporary = testDirectory()
    symlinkSync(join(root, 'node_modules'), join(temporary, 'node_modules'))
    const lines = resources.map(
      (resource, index) =>
        `import type { I${resource.kind} as T${index} } from '${toModule(resource)}'\nexport const r${index}: T${index} = ${JSON.stringify(resource)}`,
    )
    writeFileSync(join(temporary, 'manifests.ts'), lines.join('\n'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(
      process.execPath,
      [
        tsc,
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--module',
        'nodenext',
        '--preserveSymlinks',
        'manifests.ts',
      ],
      { cwd: temporary, encoding: 'utf8' },
    )
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  test('runs the images of the Dockerfile on their ports, without root, with probes and limits', () => {
    expect(workloads.map(({ metadata }) => metadata.name)).toEqual(['ingest', 'consumer', 'dashboards'])
    for (const { metadata, spec } of workloads) {
      const [container] = spec.template?.spec.containers ?? []
      if (container === undefined) throw new Error('no container')
      expect(container.image).toBe(`rollcall-${metadata.name}`)
      expect(kustomization.images.map(({ name }) => name)).toContain(container.image)
      const exposed = toImage(metadata.name).exposed
      expect(container.ports.map(({ containerPort }) => containerPort)).toEqual(exposed)
      expect(container).toMatchObject({
        startupProbe: { httpGet: { path: '/health/live' } },
        livenessProbe: { httpGet: { path: '/health/live' } },
        readinessProbe: { httpGet: { path: '/health/ready' }, timeoutSeconds: 3, failureThreshold: 3 },
        resources: { limits: { memory: expect.any(String) as string } },
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
      })
      expect(spec.template?.spec).toMatchObject({ securityContext: { runAsNonRoot: true } })
      expect(spec.replicas).toBeGreaterThanOrEqual(2)
    }
  })

  test('sets only variables that there are', () => {
    const known = Object.values(variables).map(({ name }) => name as string)
    const literals = kustomization.configMapGenerator.flatMap((map) =>
      map.literals.map((line) => line.split('=')[0]),
    )
    const set = workloads.flatMap(({ spec }) =>
      (spec.template?.spec.containers ?? []).flatMap(({ env }) => env.map(({ name }) => name)),
    )
    for (const name of [...literals, ...set]) expect(known).toContain(name)
    // Else Kubernetes sets variables named after Services, among them INGEST_PORT=tcp://….
    for (const { spec } of workloads) expect(spec.template?.spec).toMatchObject({ enableServiceLinks: false })
  })

  test('protects each against disruption and finds its pods by their labels', () => {
    for (const { metadata, spec } of workloads) {
      const labels = spec.template?.metadata.labels
      expect(spec.selector?.matchLabels).toEqual(labels)
      expect(named('PodDisruptionBudget', metadata.name)?.spec.selector?.matchLabels).toEqual(labels)
      const service = named('Service', metadata.name)
      if (metadata.name !== 'consumer') expect(service?.spec.selector).toEqual(labels)
    }
  })

  test('lets people sign in with any of two replicas, and dashboards read as a user of their own', () => {
    const [consumer, dashboards] = ['consumer', 'dashboards'].map((name) => {
      const workload = workloads.find(({ metadata }) => metadata.name === name)
      const env = workload?.spec.template?.spec.containers[0]?.env as { name: string; value?: string }[]
      return Object.fromEntries(env.map((each) => [each.name, each.value ?? 'x'.repeat(40)]))
    })
    expect(dashboards?.['CLICKHOUSE_USER']).not.toBe(consumer?.['CLICKHOUSE_USER'])
    expect(dashboards).toHaveProperty('DASHBOARD_SESSION_SECRETS')
    const parsed = parseConfig({ HOST: '0.0.0.0', CLICKHOUSE_URL: 'http://clickhouse:8123', ...dashboards })
    expect(parsed).toMatchObject({ ok: true })
    if (parsed.ok) expect(() => checkSignIn(parsed.config)).not.toThrow()
  })

  test('governs the ingest pods by a headless service, and lets no stranger reach the admin port', () => {
    const ingest = workloads.find(({ metadata }) => metadata.name === 'ingest')
    expect(named('Service', String(ingest?.spec['serviceName']))?.spec).toMatchObject({ clusterIP: 'None' })
    const policy = named('NetworkPolicy', 'rollcall')?.spec as unknown as {
      ingress: { ports: { port: string }[]; from?: object[] }[]
    }
    const open = policy.ingress.filter(({ from }) => from === undefined).flatMap(({ ports }) => ports)
    expect(open).toEqual([{ port: 'http' }])
  })

  test('keeps the spool on a volume that outlives its pod', () => {
    const ingest = workloads.find(({ metadata }) => metadata.name === 'ingest')
    expect(ingest?.kind).toBe('StatefulSet')
    const container = ingest?.spec.template?.spec.containers[0] as unknown as {
      volumeMounts: { name: string; mountPath: string }[]
    }
    expect(container.volumeMounts).toContainEqual({ name: 'data', mountPath: toImage('ingest').volumes[0] })
    expect(ingest?.spec['volumeClaimTemplates']).toMatchObject([{ metadata: { name: 'data' } }])
  })
})
