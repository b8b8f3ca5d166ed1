/** The JSON API, mounted at `/api`. It reads: pages and commands change things. */
import { Hono } from 'hono'
import { AudienceError } from '../../reporting/audience.ts'
import { fail, failToRead, Refusal, type ApiDeps } from './endpoint.ts'
import { createOpenApi } from './openapi.ts'
import { endpoints, operations } from './operations.ts'

type ApiOptions = ApiDeps & {
  hasSignIn?: boolean
  onError?: (error: unknown) => void
}

export function createApi({ onError, hasSignIn = false, ...deps }: ApiOptions): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
  })
  for (const { path, answerTo } of endpoints) app.get(path.replace('{id}', ':id'), (c) => answerTo(c, deps))
  // Made when it is first asked for: it takes as long as a twentieth of a start.
  let description: string | undefined
  app.get('/openapi.json', (c) => {
    description ??= JSON.stringify(createOpenApi(operations, { hasSignIn, ...deps.settings }))
    return c.body(description, 200, { 'content-type': 'application/json' })
  })
  // A route instead of `notFound`: a mounted app does not bring its `notFound` along.
  const noSuchPath = new Refusal(404, { parameter: 'path', message: 'is not a part of this API' })
  app.all('*', (c) => fail(c, noSuchPath))
  app.onError((error, c) => {
    if (error instanceof Refusal) return fail(c, error)
    if (error instanceof AudienceError)
      return fail(c, new Refusal(403, { parameter: 'scope', message: error.message }))
    onError?.(error)
    return failToRead(c, error)
  })
  return app
}
