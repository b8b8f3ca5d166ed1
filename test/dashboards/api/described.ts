/** An API that holds every JSON answer that it gives in a test against its own description. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Hono } from 'hono'
import { expect } from 'vitest'
import { createApi } from '../../../dashboards/api/app.ts'
import { createOpenApi } from '../../../dashboards/api/openapi.ts'
import { operations } from '../../../dashboards/api/operations.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import type { TestStore } from '../../support/store/store.ts'

export const description = createOpenApi(operations)

export type DescribedApi = { request(path: string, init?: RequestInit): Promise<Response> }

type Content = { content?: Record<string, unknown> }

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema({ ...description, $id: 'rollcall:api' })
const validators = new Map<string, ValidateFunction>()

function toPointer(...steps: string[]): string {
  return steps
    .map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('')
}

/** The description of the path that an address is about: of two that fit, the one without parameters. */
export function toDescribedPath(pathname: string): string | undefined {
  const fits = Object.keys(description.paths ?? {}).filter((path) =>
    new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
  return fits.sort((a, b) => a.split('{').length - b.split('{').length)[0]
}

export function asDescribed(api: Hono): DescribedApi {
  return {
    async request(path, init) {
      const response = await api.request(path, init)
      const described = toDescribedPath(`/api${new URL(path, 'http://localhost').pathname}`)
      const type = response.headers.get('content-type')?.split(';')[0] ?? ''
      if (described === undefined) {
        expect(response.status, `${path} is not described`).toBe(404)
        return response
      }
      const method = (init?.method ?? 'GET').toLowerCase().replace('head', 'get')
      const operation = (
        (description.paths ?? {})[described] as Record<string, { responses: Record<string, Content> }>
      )[method]
      const status = String(response.status)
      expect(
        Object.keys(operation?.responses[status]?.content ?? {}),
        `${path} answers ${status} as`,
      ).toContain(type)
      if (type === 'application/json' && init?.method !== 'HEAD') {
        const pointer = toPointer('paths', described, method, 'responses', status, 'content', type, 'schema')
        let validate = validators.get(pointer)
        if (validate === undefined) {
          validate = ajv.compile({ $ref: `rollcall:api#${pointer}` })
          validators.set(pointer, validate)
        }
        const isValid = validate(await response.clone().json())
        expect(isValid ? [] : validate.errors?.slice(0, 5), path).toEqual([])
      }
      return response
    },
  }
}

type Settings = Parameters<typeof createApi>[0]['settings']

/** The API over a store, at a moment that stands still (epoch ms). `settings`: other than a day's end in UTC. */
export const createStoreApi = (store: TestStore, now: number, settings: Partial<Settings> = {}): Hono =>
  createApi({
    queries: createQueries(ownReader(store.reader)),
    settings: { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day', ...settings },
    clock: () => now,
  })
