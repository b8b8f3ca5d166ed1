/**
 * The JSON API as OpenAPI: `GET /api/openapi.json`. Every route has an operation in `operations.ts`; a test compares
 * routes, answers and this description.
 */
import { z } from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { version } from '../../services/runtime/version.ts'
import type { Entrance } from '../access/entrance.ts'
import { sessionCookie } from '../access/identify.ts'
import { attributeParameters } from '../../reporting/scope/filters.ts'
import { errorCodes, type Operation } from './endpoint.ts'

/** How people are known where the API is served. `none`: everybody who reaches the port may read. */
export type ApiSignIn =
  { kind: 'none' } | { kind: 'password' | 'oidc'; cookie: string } | { kind: 'proxy'; userHeader: string }

export function toApiSignIn(entrance: Entrance | undefined): ApiSignIn {
  if (entrance === undefined || entrance.mode.kind === 'none') return { kind: 'none' }
  const { mode, isSecure } = entrance
  return mode.kind === 'proxy'
    ? { kind: 'proxy', userHeader: mode.userHeader }
    : { kind: mode.kind, cookie: sessionCookie(isSecure) }
}

const refusalWords = {
  400: 'A parameter cannot be used; all problems at once',
  401: 'Nobody has signed in, and there is no valid token',
  403: 'Not for this role',
  404: 'There is no such thing',
  500: 'Unexpected; the log of the server says why',
  503: 'The store cannot answer just now; try again',
}

export function createOpenApi(
  operations: readonly Operation[],
  signIn: ApiSignIn = { kind: 'none' },
  userAttributes: readonly string[] = [],
): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const operation of operations) {
    const path = `/api${operation.path}`
    paths[path] = {
      ...paths[path],
      [operation.method]: toOperation(withAttributes(operation, userAttributes), signIn),
    }
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Rollcall',
      version,
      description: toApiWords(signIn),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    ...toSecurity(signIn),
    paths,
  } satisfies ZodOpenApiObject)
}

/** What the API is, and how people sign in to it. */
const toApiWords = (signIn: ApiSignIn): string =>
  'Numbers of a learning platform’s challenge assignments, for now and for any past moment. Instants are ISO 8601, UTC, with milliseconds. ' +
  'What every metric means: docs/METRICS.md, or /api/metrics/explain. ' +
  signInWords[signIn.kind]

const token =
  'a token from /access or `rollcall token create`, as `Authorization: Bearer rollcall_...`. What an answer holds depends on the role: docs/access.md.'

const signInWords: Record<ApiSignIn['kind'], string> = {
  none: 'Nobody signs in here: everybody who reaches this address may read everything.',
  password: `People sign in with a password; scripts send ${token}`,
  oidc: `People sign in at an OpenID provider; scripts send ${token}`,
  proxy: `A proxy signs people in; scripts send ${token}`,
}

/** An empty list says that nothing is needed; its absence would look like an oversight. */
function toSecurity(signIn: ApiSignIn): Pick<ZodOpenApiObject, 'security' | 'components'> {
  if (signIn.kind === 'none') return { security: [] }
  const person =
    signIn.kind === 'proxy'
      ? {
          type: 'apiKey',
          in: 'header',
          name: signIn.userHeader,
          description: 'Set by the trusted proxy only',
        }
      : { type: 'apiKey', in: 'cookie', name: signIn.cookie, description: 'The session of a person' }
  const securitySchemes = {
    token: { type: 'http', scheme: 'bearer', description: 'A token for scripts' },
    person,
  } as NonNullable<ZodOpenApiObject['components']>['securitySchemes']
  return {
    security: [{ token: [] }, { person: [] }],
    components: { ...(securitySchemes && { securitySchemes }) },
  }
}

/** Where all filters of people are taken. */
function withAttributes({ query, ...operation }: Operation, names: readonly string[]): Operation {
  if (query === undefined) return operation
  return { ...operation, query: 'team' in query.shape ? query.extend(attributeParameters(names)) : query }
}

function toOperation(
  { id, summary, description, query, pathParameters, body, answers, canMiss = false }: Operation,
  signIn: ApiSignIn,
) {
  const unsigned = signIn.kind === 'none' ? [] : ([401, 403] as const)
  const missing = canMiss ? ([404] as const) : []
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    requestParams: { ...(query && { query }), ...(pathParameters && { path: pathParameters }) },
    ...(body && { requestBody: { required: true, content: toContent({ 'application/json': body }) } }),
    responses: {
      '200': { description: 'The answer', content: toContent(answers) },
      '421': {
        description: 'The Host header names no host of this server, see DASHBOARD_HOSTS',
        content: { 'text/plain': { schema: { type: 'string' as const } } },
      },
      ...Object.fromEntries(
        ([...unsigned, 400, ...missing, 500, 503] as const).map((status) => [
          String(status),
          { description: refusalWords[status], content: toContent({ 'application/json': problemAnswer }) },
        ]),
      ),
    },
  }
}

function toContent(types: Record<string, z.ZodType>) {
  return Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]))
}

const problemAnswer = z
  .object({
    error: z.object({
      code: z.enum(Object.values(errorCodes)),
      problems: z.array(z.object({ parameter: z.string(), message: z.string() })),
    }),
  })
  .meta({ id: 'Problems', description: 'Why there is no answer: every problem at once.' })
