/** deploy/kubernetes as `kubectl apply -k` would send it: rendered by kustomize, which kubectl has inside. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }

type Rendered = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  spec?: {
    template?: { spec: { containers: { image: string; envFrom: { configMapRef: { name: string } }[] }[] } }
  }
}

const directory = join(import.meta.dirname, '../../deploy/kubernetes')
const ways = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const

function render(): Rendered[] {
  for (const [command, word] of ways) {
    const { error, status, stdout, stderr } = spawnSync(command, [word, directory], { encoding: 'utf8' })
    if (error !== undefined) continue
    expect(stderr).toBe('')
    expect(status).toBe(0)
    return parseAllDocuments(stdout).map((document) => document.toJS() as Rendered)
  }
  throw new Error('Neither kubectl nor kustomize is installed: this test needs one of them.')
}

test('is rendered into resources that the API takes, of one namespace, with pinned images and the settings', async () => {
  const resources = render()
  const settings = resources.find(({ kind }) => kind === 'ConfigMap')?.metadata.name
  expect(settings).toMatch(/^rollcall-\w+$/)
  const images: string[] = []
  for (const resource of resources) {
    const module = `kubernetes-models/${resource.apiVersion}`
    const models = (await import(module)) as Record<string, new (data: unknown) => { validate(): void }>
    const Model = models[resource.kind]
    if (Model === undefined) throw new Error(`no schema of ${resource.apiVersion} ${resource.kind}`)
    expect(() => new Model(resource).validate(), `${resource.kind} ${resource.metadata.name}`).not.toThrow()
    if (resource.kind !== 'Namespace') expect(resource.metadata.namespace).toBe('rollcall')
    for (const { image, envFrom } of resource.spec?.template?.spec.containers ?? []) {
      images.push(image)
      expect(envFrom).toEqual([{ configMapRef: { name: settings } }])
    }
  }
  const { version } = packageJson
  expect(images.toSorted()).toEqual(
    ['consumer', 'dashboards', 'ingest'].map((name) => `rollcall-${name}:${version}`),
  )
})
