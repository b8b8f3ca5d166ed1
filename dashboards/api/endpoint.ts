/**
 * A call of the JSON API is one row: its path, parameters, answer, and how it answers. Routes, OpenAPI and the tools of assistants
 * follow from it. Strict: every parameter that cannot be used is listed in one 400.
 */
import type { Context } from 'hono'
import { z } from 'zod'
import { sayProblemInEnglish } from '../../language/problems.ts'
import { DataUnavailableError, toOwnError } from '../../reporting/errors.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import { isScopeKey, rowFilter, scopeParameters, toAttribute } from '../../reporting/scope/filters.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'
import type { ScopeProblem } from '../../reporting/scope/url-parameters.ts'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'

export type ApiDeps = {
  queries: Queries
  settings: ScopeSettings
  /** Epoch ms. */
  clock: () => number
}

export type ApiProblem = { parameter: string; message: string }

/** Always in English: programs read it. */
export function toApiProblem({ parameter, ...problem }: ScopeProblem): ApiProblem {
  return { parameter, message: sayProblemInEnglish(problem) }
}

export const errorCodes = {
  400: 'INVALID_PARAMETERS',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  500: 'INTERNAL',
  503: 'DATA_UNAVAILABLE',
} as const

/** Thrown by an endpoint that has no answer. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 500 | 503
  readonly problems: readonly ApiProblem[]
  constructor(status: Refusal['status'], ...problems: readonly ApiProblem[]) {
    super(problems.map(({ message }) => message).join())
    this.status = status
    this.problems = problems
  }
}

export const refuse = (parameter: string, message: string): never => {
  throw new Refusal(400, { parameter, message })
}

export function fail(c: Context, { status, problems }: Refusal): Response {
  return c.json({ error: { code: errorCodes[status], problems } }, status)
}

/** The store, or we, could not answer. */
export function failToRead(c: Context, error: unknown): Response {
  const isBusy = toOwnError(error, c.req.path) instanceof DataUnavailableError
  const message = isBusy
    ? 'could not be read just now; try again'
    : 'could not be read; the log of the server says why'
  return fail(c, new Refusal(isBusy ? 503 : 500, { parameter: 'data', message }))
}

/** The part of an endpoint that is described. */
export type Operation = {
  /** Under /api, with `{id}`. */
  path: string
  id: string
  summary: string
  description?: string
  query?: z.ZodObject
  pathParameters?: z.ZodObject
  /** Media types of the 200 answer, with their schemas. */
  answers: Record<string, z.ZodType>
  canMiss?: boolean
}

type Ask<Own extends z.ZodRawShape> = ApiDeps & {
  c: Context
  id: string
  /** The parameters of the address. An empty value means "not given". */
  params: URLSearchParams
  scope: Scope
  own: z.output<z.ZodObject<Own>>
}

type Row<Own extends z.ZodRawShape> = Omit<Operation, 'query' | 'pathParameters' | 'answers'> & {
  /** Parameters of a scope that it takes. Default: none. */
  filters?: readonly string[]
  rows?: boolean
  own?: Own
  names?: string
  /** The JSON answer, or media types. */
  answers: z.ZodType | Record<string, z.ZodType>
  answer(ask: Ask<Own>): Promise<object>
}

export type Endpoint = Operation & { answerTo(c: Context, deps: ApiDeps): Promise<Response> }

export function endpoint<Own extends z.ZodRawShape = {}>(row: Row<Own>): Endpoint {
  const { filters = [], rows = false, own = {} as Own, names, answers, answer, ...described } = row
  const scoped = Object.entries(scopeParameters).filter(([key]) => filters.includes(key))
  const shape = { ...Object.fromEntries(scoped), ...(rows && rowFilter.parameters), ...own }
  const idOf = (description: string) => z.object({ id: z.string().meta({ description }) })
  return {
    ...described,
    ...(Object.keys(shape).length > 0 && { query: z.object(shape) }),
    ...(names !== undefined && { pathParameters: idOf(names) }),
    answers: answers instanceof z.ZodType ? { 'application/json': answers } : answers,
    async answerTo(c, deps) {
      const given = [...new URL(c.req.url).searchParams].filter(([, value]) => value !== '')
      const params = new URLSearchParams(given)
      const read = readOwn(own, params)
      const others = given.filter(([name]) => !Object.hasOwn(own, name))
      const { scope, problems } = readScope(others, { filters, rows, ...deps })
      if (read.own === undefined || problems.length > 0) throw new Refusal(400, ...problems, ...read.problems)
      const id = c.req.param('id') ?? ''
      const answered = await answer({ ...deps, c, id, params, scope, own: read.own })
      return answered instanceof Response ? answered : c.json(answered)
    },
  }
}

type Taken = Pick<ApiDeps, 'settings' | 'clock'> & { filters: readonly string[]; rows: boolean }

/** Where teams are taken, attributes of people are. */
function readScope(given: [string, string][], { filters, rows, settings, clock }: Taken) {
  const isTaken = (name: string) => filters.includes(toAttribute(name) === undefined ? name : 'team')
  const isOther = ([name]: [string, string]) => isScopeKey(name, settings.userAttributes) && !isTaken(name)
  const mine = new URLSearchParams(given.filter((each) => !isOther(each)))
  const { scope, problems } = parseScope(mine, { now: clock(), settings, rows })
  const others = new Set(given.filter(isOther).map(([name]) => name))
  const refused = [...others].map((parameter) => ({ parameter, message: 'means nothing here' }))
  return { scope, problems: [...problems.map(toApiProblem), ...refused] }
}

function readOwn<Own extends z.ZodRawShape>(shape: Own, params: URLSearchParams) {
  const isList = (name: string) => (shape[name] as z.ZodType).safeParse([]).success
  const names = Object.keys(shape).filter((name) => params.has(name))
  const given = names.map((name) => [name, isList(name) ? params.getAll(name) : params.get(name)])
  const repeated = names.filter((name) => params.getAll(name).length > 1 && !isList(name))
  const problems = repeated.map((parameter) => ({ parameter, message: 'may be given only once' }))
  const { data: own, error } = z.object(shape).safeParse(Object.fromEntries(given))
  for (const each of error === undefined ? [] : toProblems(error))
    if (!repeated.includes(each.parameter)) problems.push(each)
  return { own: problems.length === 0 ? own : undefined, problems }
}

const toProblems = ({ issues }: z.ZodError): ApiProblem[] =>
  issues.map(({ path, message }) => ({ parameter: path.join('.') || 'body', message }))
