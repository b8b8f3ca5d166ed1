/** The description of the API: a valid OpenAPI 3.1 document, of every route and of nothing else. Its words about answers are held
 * against every answer in the other tests of the API, see described.ts. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { createApi } from '../../../dashboards/api/app.ts'
import { createOpenApi } from '../../../dashboards/api/openapi.ts'
import { operations as described } from '../../../dashboards/api/operations.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { description } from './described.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { testDirectory } from '../../support/directories.ts'

type Operation = { parameters?: { name: string }[]; responses: Record<string, unknown> }

// Nothing is asked of the store here.
const api = createApi({
  queries: createQueries(ownReader(createClient({ url: 'http://127.0.0.1:1' }))),
  settings: { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' },
  clock: () => 0,
})
const document = JSON.parse(JSON.stringify(description)) as {
  info: Record<string, unknown>
  paths: Record<string, Record<string, Operation>>
}

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

test('describes every route of the app, and no other', () => {
  const routes = api.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => `${method.toLowerCase()} /api${path.replaceAll(/:(\w+)(\{.*?\})?/g, '{$1}')}`)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
  expect([...new Set(routes)].sort()).toEqual(operations.sort())
})

test.each([true, false])('says whether people sign in: %s', (hasSignIn) => {
  const said = JSON.parse(JSON.stringify(createOpenApi(described, { hasSignIn }))) as typeof document & {
    security: object[]
  }
  expect(said.security).toEqual(hasSignIn ? [{ token: [] }] : [])
  expect(said.info['description']).toContain(hasSignIn ? 'Scripts send a token' : 'Nobody signs in here')
  const statuses = Object.keys(said.paths['/api/metrics']?.['get']?.responses ?? {})
  expect([statuses.includes('401'), statuses.includes('403')]).toEqual([hasSignIn, hasSignIn])
})
