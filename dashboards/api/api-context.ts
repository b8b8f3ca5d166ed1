/** The context of every route of the API, and the form of its errors. */
import type { Context } from 'hono'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import { DataUnavailableError, toOwnError } from '../../reporting/errors.ts'
import type { ScopeProblem } from '../../reporting/scope/url-parameters.ts'
import { sayProblemInEnglish } from '../../language/problems.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'
import { z } from 'zod'
import { scopeKeys, scopeParameters } from '../../reporting/scope/filters.ts'
import { parseJson } from '../../schemas/json.ts'

/** Always in English: programs read it. */
export type ApiProblem = { parameter: string; message: string }

export function toApiProblem({ parameter, ...problem }: ScopeProblem): ApiProblem {
  return { parameter, message: sayProblemInEnglish(problem) }
}

export type ApiContext = {
  queries: Queries
  settings: ScopeSettings
  /** Epoch ms. */
  clock: () => number
}

export const errorCodes = [
  'INVALID_PARAMETERS',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'DATA_UNAVAILABLE',
  'INTERNAL',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** The parameters of the address. An empty value means "not given". */
export function toParams(c: Context): URLSearchParams {
  return new URLSearchParams([...new URL(c.req.url).searchParams].filter(([, value]) => value !== ''))
}

export function refuse(c: Context, problems: ApiProblem[]): Response {
  return fail(c, 400, 'INVALID_PARAMETERS', problems)
}

export function fail(
  c: Context,
  status: 400 | 403 | 404 | 500 | 503,
  code: ErrorCode,
  problems: ApiProblem[],
): Response {
  return c.json({ error: { code, problems } }, status)
}

/** The store, or we, could not answer. */
export function failToRead(c: Context, error: unknown): Response {
  return toOwnError(error, c.req.path) instanceof DataUnavailableError
    ? fail(c, 503, 'DATA_UNAVAILABLE', [
        { parameter: 'data', message: 'could not be read just now; try again' },
      ])
    : fail(c, 500, 'INTERNAL', [
        { parameter: 'data', message: 'could not be read; the log of the server says why' },
      ])
}

/** The scope of a request; the settings and now fill in the rest. The caller reads `own` itself. */
export function askScope(
  c: Context,
  { settings, clock }: ApiContext,
  extra: readonly string[] = [],
  { rows = false }: { rows?: boolean } = {},
): { scope: Scope | undefined; problems: ApiProblem[]; now: number } {
  const now = clock()
  const { scope, problems } = parseScope(toParams(c), { now, settings, ignore: extra, rows })
  return { scope: problems.length === 0 ? scope : undefined, problems: problems.map(toApiProblem), now }
}

/**
 * Single-valued parameters that a route reads itself, by the rules of the scope: an empty value means "not given", a
 * second one is a problem.
 */
export function createOwnParameters(params: URLSearchParams) {
  const problems: ApiProblem[] = []
  function one(name: string): string | undefined {
    const values = params.getAll(name).filter((value) => value !== '')
    if (values.length > 1) problems.push({ parameter: name, message: 'may be given only once' })
    return values[0]
  }
  /** A value that `read` returns `undefined` for is a problem. */
  function pick<Value>(
    name: string,
    read: (text: string) => Value | undefined,
    expected: string,
  ): Value | undefined {
    const text = one(name)
    if (text === undefined) return undefined
    const value = read(text)
    if (value === undefined) problems.push({ parameter: name, message: `must be ${expected}` })
    return value
  }
  function need(name: string, value: unknown, expected: string): void {
    if (value === undefined && !problems.some(({ parameter }) => parameter === name)) {
      problems.push({ parameter: name, message: `is needed: ${expected}` })
    }
  }
  return { problems, pick, need }
}

export function toWholeNumber(text: string, from: number, to: number): number | undefined {
  return /^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined
}

/** `keys`: the parameters of a scope that the route takes. Default: all. */
export function scopeQuery(
  extra: Record<string, z.ZodType> = {},
  keys: readonly string[] = scopeKeys,
): z.ZodObject {
  const entries = Object.entries(scopeParameters).filter(([key]) => keys.includes(key))
  return z.object({ ...Object.fromEntries(entries), ...extra })
}

/** Answers a body. JSON only: a page of another site cannot send it without a preflight request, which nothing here allows. */
export function takeBody<Schema extends z.ZodType>(
  schema: Schema,
  answer: (c: Context, value: z.infer<Schema>) => Promise<Response>,
) {
  return async (c: Context): Promise<Response> => {
    if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
      return refuse(c, [{ parameter: 'content-type', message: 'must be application/json' }])
    }
    const json = await c.req
      .text()
      .then(parseJson)
      .catch(() => undefined)
    const parsed = schema.safeParse(json)
    if (parsed.success) return answer(c, parsed.data)
    return refuse(
      c,
      parsed.error.issues.map(({ path, message }) => ({ parameter: path.join('.') || 'body', message })),
    )
  }
}
