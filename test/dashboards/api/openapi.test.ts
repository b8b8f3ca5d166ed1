/** The description of the API: a valid OpenAPI 3.1 document, of every route and of nothing else. Its words about answers are held
 * against every answer in the other tests of the API, see described.ts. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { createApi } from '../../../dashboards/api/app.ts'
import { createOpenApi } from '../../../dashboards/api/openapi.ts'
import { operations as described } from '../../../dashboards/api/operations.ts'
import { scopeKeys } from '../../../reporting/scope/filters.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { description } from './described.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { testDirectory } from '../../support/directories.ts'

type Parameter = { name: string; in: string; required?: boolean; schema: unknown }
type Operation = {
  operationId: string
  summary: string
  parameters?: Parameter[]
  responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>
}

// Nothing is asked of the store here.
const api = createApi({
  queries: createQueries(ownReader(createClient({ url: 'http://127.0.0.1:1' }))),
  settings: { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' },
  clock: () => 0,
})
const document = JSON.parse(JSON.stringify(description)) as {
  openapi: string
  info: Record<string, unknown>
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

test('is served as it is', async () => {
  const response = await api.request('/openapi.json')
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual(document)
})

test('passes a public linter without errors and warnings', async () => {
  const directory = testDirectory()
  const file = join(directory, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const words = ['run', '--silent', 'lint:api', '--', file, '--format', 'json']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const linted = spawnSync('npm', words, { env, encoding: 'utf8' })
  const { totals, problems } = JSON.parse(linted.stdout) as { totals: object; problems: unknown[] }
  expect(problems).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

test('is an OpenAPI 3.1 document', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/)
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.stringMatching(/^\d/) })
  expect(
    Object.keys(document).filter(
      (key) => !['openapi', 'info', 'servers', 'security', 'paths', 'components'].includes(key),
    ),
  ).toEqual([])
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, method, operation } of operations) {
    expect(['get', 'post'], path).toContain(method)
    expect(path).toMatch(/^\/api\/[a-z.-]+(\/([a-z]+|\{\w+\}))*$/)
    expect(operation.summary.length, path).toBeGreaterThan(5)
    const parameters = operation.parameters ?? []
    const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(new Set(keys).size, path).toBe(keys.length)
    expect(parameters.every(({ schema }) => typeof schema === 'object' && schema !== null)).toBe(true)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => name).sort()).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort(),
    )
    expect(inPath.every(({ required }) => required)).toBe(true)
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '500', '503']))
    for (const [status, { description: words, content }] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/)
      expect(words.length).toBeGreaterThan(0)
      expect(Object.keys(content).every((type) => /^\w+\/[\w.+-]+$/.test(type))).toBe(true)
    }
  }
})

test('has schemas that are JSON Schema 2020-12, and no reference that leads nowhere', () => {
  const ajv = new Ajv2020({ strict: false })
  const schemas = [
    ...Object.values(document.components.schemas),
    ...operations.flatMap(({ operation }) => [
      ...(operation.parameters ?? []).map(({ schema }) => schema),
      ...Object.values(operation.responses).flatMap(({ content }) =>
        Object.values(content).map(({ schema }) => schema),
      ),
    ]),
  ]
  expect(schemas.length).toBeGreaterThan(50)
  for (const schema of schemas) expect(ajv.validateSchema(schema as object), JSON.stringify(ajv.errors)).toBe(true)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  )
  expect(references.length).toBeGreaterThan(5)
  for (const name of references) expect(Object.keys(document.components.schemas)).toContain(name)
})

test('describes every route of the app, and no other', () => {
  const routes = api.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => `${method.toLowerCase()} /api${path.replaceAll(/:(\w+)(\{.*?\})?/g, '{$1}')}`)
  expect([...new Set(routes)].sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort())
})

test('describes every parameter of a scope', () => {
  const names = document.paths['/api/metrics']?.get?.parameters?.map(({ name }) => name)
  expect(names?.sort()).toEqual([...scopeKeys].sort())
})

test.each([
  [{ kind: 'none' }, [], 'Nobody signs in here', undefined],
  [{ kind: 'password', cookie: '__Host-rollcall_session' }, ['token', 'person'], 'with a password', 'cookie'],
  [{ kind: 'oidc', cookie: 'rollcall_session' }, ['token', 'person'], 'OpenID provider', 'cookie'],
  [{ kind: 'proxy', userHeader: 'X-Forwarded-Email' }, ['token', 'person'], 'A proxy signs people in', 'header'],
] as const)('says how people sign in: %o', (signIn, schemes, words, place) => {
  const said = JSON.parse(JSON.stringify(createOpenApi(described, signIn))) as typeof document & {
    security: Record<string, string[]>[]
    components: { securitySchemes?: Record<string, { in?: string }> }
  }
  expect(said.security.flatMap((each) => Object.keys(each))).toEqual(schemes)
  expect(Object.keys(said.components.securitySchemes ?? {})).toEqual(schemes)
  expect(said.components.securitySchemes?.['person']?.in).toBe(place)
  expect(said.info['description']).toContain(words)
  const statuses = Object.keys(said.paths['/api/metrics']?.['get']?.responses ?? {})
  expect([statuses.includes('401'), statuses.includes('403')]).toEqual([place !== undefined, place !== undefined])
})
