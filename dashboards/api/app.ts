/** The JSON API, mounted at `/api`. */
import { Hono } from 'hono'
import { AudienceError } from '../../reporting/audience.ts'
import { limitBody } from '../http/read-form.ts'
import { fail, failToRead, mountEndpoint, Refusal, type ApiDeps } from './endpoint.ts'
import { createOpenApi } from './openapi.ts'
import { endpoints, operations } from './operations.ts'

type ApiOptions = ApiDeps & {
  /** Whether people sign in. Default: no. */
  hasSignIn?: boolean
  /** Called with every failed answer's cause. */
  onError?: (error: unknown) => void
}

export function createApi({ onError, hasSignIn = false, ...deps }: ApiOptions): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
  })
  const tooLarge = new Refusal(400, { parameter: 'body', message: 'is larger than 1 MiB' })
  app.use(limitBody(1024 ** 2, (c) => fail(c, tooLarge)))
  for (const each of endpoints) mountEndpoint(app, deps, each)
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
