/**
 * The JSON API as OpenAPI: `GET /api/openapi.json`. Every route has an operation in `operations.ts`; a test compares
 * routes, answers and this description.
 */
import { z } from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { version } from '../../services/runtime/version.ts'
import { attributeParameters } from '../../reporting/scope/filters.ts'
import { errorCodes, type Operation } from './endpoint.ts'

const refusalWords = {
  400: 'A parameter cannot be used; all problems at once',
  401: 'Nobody has signed in, and there is no valid token',
  403: 'Not for this role',
  404: 'There is no such thing',
  500: 'Unexpected; the log of the server says why',
  503: 'The store cannot answer just now; try again',
}

const about =
  'Numbers of a learning platform’s challenge assignments, for now and for any past moment. Instants are ISO 8601, UTC, with milliseconds. ' +
  'What every metric means: docs/METRICS.md, or /api/metrics/explain. '
const openToAll = 'Nobody signs in here: everybody who reaches this address may read everything.'
const byToken =
  'People who have signed in may call it. Scripts send a token from /access or `rollcall token create`, as `Authorization: Bearer rollcall_...`. ' +
  'What an answer holds depends on the role: docs/access.md.'

type OpenApiOptions = {
  hasSignIn?: boolean
  userAttributes?: readonly string[] | undefined
}

export function createOpenApi(
  operations: readonly Operation[],
  { hasSignIn = false, userAttributes = [] }: OpenApiOptions = {},
): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const operation of operations)
    paths[`/api${operation.path}`] = { get: toOperation(operation, hasSignIn, userAttributes) }
  const token = { type: 'http', scheme: 'bearer', description: 'A token for scripts' } as const
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Rollcall',
      version,
      description: about + (hasSignIn ? byToken : openToAll),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    // An empty list says that nothing is needed; its absence would look like an oversight.
    security: hasSignIn ? [{ token: [] }] : [],
    ...(hasSignIn && { components: { securitySchemes: { token } } }),
    paths,
  } satisfies ZodOpenApiObject)
}

function toOperation(
  { id, summary, description, query, pathParameters, answers, canMiss = false }: Operation,
  hasSignIn: boolean,
  userAttributes: readonly string[],
) {
  const statuses = [
    ...(hasSignIn ? ([401, 403] as const) : []),
    400,
    ...(canMiss ? [404 as const] : []),
    500,
    503,
  ] as const
  // Where all filters of people are taken.
  const takes = query !== undefined && 'team' in query.shape ? attributeParameters(userAttributes) : {}
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    requestParams: {
      ...(query && { query: query.extend(takes) }),
      ...(pathParameters && { path: pathParameters }),
    },
    responses: {
      '200': { description: 'The answer', content: toContent(answers) },
      '421': {
        description: 'The Host header names no host of this server, see DASHBOARD_HOSTS',
        content: { 'text/plain': { schema: { type: 'string' as const } } },
      },
      ...Object.fromEntries(
        statuses.map((status) => [
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
