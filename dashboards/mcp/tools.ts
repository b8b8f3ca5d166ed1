/**
 * The tools of assistants: names over operations of the JSON API, and two of their own. Each asks from within, as the reader who asks,
 * so rights, words and limits are the same.
 */
import { z } from 'zod'
import type { ErrorCode } from '../api/endpoint.ts'
import { operations } from '../api/operations.ts'
import { readLines } from '../../services/runtime/http/read-body.ts'
import { parseLine, sqlFormat, toMessage } from '../pages/data/run-sql.ts'
import type { Standing } from '../../reporting/statements/standing.ts'
import type { Visitor } from '../../services/access/visitor.ts'
import type { Ask } from '../http/ask-inside.ts'
import { rowOnly } from '../scope/follow.ts'
import { href } from '../scope/page-url.ts'

export type McpDeps = {
  ask: Ask
  standing: () => Promise<Standing>
  /** Epoch ms. */
  clock: () => number
  version: string
  /** Where people open the dashboards. Default: the address of the request. */
  url?: string | undefined
  /** Whether names may leave where nobody signs in, and so no right says it. */
  names: 'granted' | 'withheld'
}

export type Reach = {
  visitor: Visitor
  /** As the visitor, of these dashboards. */
  fetch(path: string): Promise<Response>
  fetchSql(sql: string): Promise<Response>
  /** Without a slash at the end. */
  origin: string
}

type Deps = McpDeps & Reach
type Args = Record<string, unknown>

/** Every answer has its moment, how far the data are complete, what is not counted and why, and a page with the same numbers. */
export type Answer = Args & {
  as_of: string
  complete_up_to: string | null
  left_out: string[]
  page: string
  list?: { rows: unknown[]; total: number; next: string | null }
}

/** The message to an assistant in place of an answer. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

type Tool = {
  title: string
  description: string
  input: z.ZodObject
  run(args: Args, deps: Deps): Promise<Answer>
}

type Call = {
  page: '/' | '/assignments' | '/changes' | '/guides' | '/health'
  /** Where the answer has its rows, and the parameter that limits them. */
  list?: { rows: string; limit: 'per_page' | 'limit' }
  /** For assistants, after the summary of the operation. */
  more?: string
}

/** Far more than an assistant reads. */
const maxSqlCharacters = 4 * 1024 ** 2
const limit = z.int().min(1).max(100).default(20).describe('Rows of the answer')

const omit = (args: Args, ...names: string[]) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))

/** A tool that asks an operation. */
function call(id: string, { page, list, more = '' }: Call): Tool {
  const operation = operations.find((each) => each.id === id)
  if (operation?.query === undefined) throw new Error(`${id} is no operation with parameters`)
  const { query, path, summary } = operation
  const filters = z.object(omit(query.shape, 'format', 'columns') as z.ZodRawShape)
  const countsPeople = 'team' in query.shape
  const shape = list === undefined ? filters : filters.extend({ [list.limit]: limit })
  return {
    title: summary,
    description: [`${summary}.`, operation.description, more].filter(Boolean).join(' '),
    // Which attributes of people there are, the API says.
    input: countsPeople ? shape.catchall(z.array(z.string())) : shape.strict(),
    async run(args, deps) {
      const { complete_through: stored } = await deps.standing()
      const answer = await read(deps, `/api${path}`, args)
      const { as_of, to, complete_through = stored, next, total, value, ...rest } = answer
      const rows = list && (answer[list.rows] as object[])
      const asOf = (as_of ?? to ?? new Date(deps.clock()).toISOString()) as string
      return {
        as_of: asOf,
        complete_up_to: complete_through as string | null,
        ...(value !== undefined && { value }),
        ...omit(rest, list?.rows ?? ''),
        ...(rows && {
          list: { rows: rows.map(toFilled), total: Number(total), next: toAfter(next) },
        }),
        left_out: countsPeople ? toLeftOut(deps, args, value) : [],
        page: toPage(deps, page, args, asOf),
      }
    },
  }
}

export const tools: Record<string, Tool> = {
  metrics: call('getMetrics', {
    page: '/',
    more: 'Shares are 0 to 1, times are milliseconds; null means no data.',
  }),
  explain: call('explainMetric', { page: '/', more: 'Says what is not counted, and gives the SQL.' }),
  rows: call('listAssignments', {
    page: '/assignments',
    list: { rows: 'assignments', limit: 'per_page' },
    more:
      'With “metric” and “part”: the rows of one part that “explain” names. Fields that are unknown or empty are left out. ' +
      'People are user ids; names only if they are granted. The page of a row is /assignments/ and its assignment_id, ' +
      'that of a person /learners/ and the user_id.',
  }),
  changes: call('listChanges', { page: '/changes', list: { rows: 'assignments', limit: 'per_page' } }),
  guides: call('getGuides', { page: '/guides' }),
  failed_events: call('listFailedEvents', { page: '/health', list: { rows: 'events', limit: 'limit' } }),
  health: {
    title: 'Whether the numbers are complete',
    description:
      'Up to when everything received is counted, how many webhooks are waiting, and since when storing has stopped. For owners also why.',
    input: z.strictObject({}),
    async run(_, { standing, visitor, origin, clock }) {
      const { complete_through, reason, ...rest } = await standing()
      const isOwner = visitor.role === 'owner'
      return {
        as_of: new Date(clock()).toISOString(),
        complete_up_to: complete_through,
        ...rest,
        ...(isOwner && { reason }),
        left_out: isOwner ? [] : ['reasons, which are for owners'],
        page: `${origin}${isOwner ? '/health' : '/'}`,
      }
    },
  },
  sql: {
    title: 'Read-only SQL',
    description:
      'One SELECT in ClickHouse’s SQL over the views of the data dictionary: assignments, assignments_as_of(as_of, due_zone, due_end, due_soon_days), events ... ' +
      'SHOW TABLES and DESCRIBE TABLE list them. Do not write FORMAT. Prefer “explain” where it has the number: its definition is checked.',
    input: z.strictObject({
      statement: z.string().min(1).max(20_000),
      limit: z.int().min(1).max(1_000).default(100).describe('Rows of the answer'),
    }),
    async run(args, deps) {
      const { statement, limit } = args as { statement: string; limit: number }
      const { complete_through } = await deps.standing()
      const response = await deps.fetchSql(statement)
      if (response.headers.has('x-clickhouse-exception-code'))
        throw new ToolError(toMessage(await response.text()))
      if (!response.ok) throw await toRefusal(response, deps)
      if (response.headers.get('x-clickhouse-format') !== sqlFormat) {
        await response.body?.cancel()
        throw new ToolError('Leave out FORMAT.')
      }
      const lines: string[] = []
      let total = -2
      let length = 0
      for await (const line of readLines(response.body)) {
        total += 1
        if (lines.length === limit + 2) continue
        lines.push(line)
        length += line.length
        if (length > maxSqlCharacters)
          throw new ToolError('The rows are too large: ask for fewer columns or rows.')
      }
      const [columns, types, ...rows] = lines.map(parseLine)
      return {
        as_of: new Date(deps.clock()).toISOString(),
        complete_up_to: complete_through,
        columns,
        types,
        list: { rows, total: Math.max(0, total), next: null },
        left_out: [
          'people who have left, from assignments and assignments_as_of; assignments_all has everyone',
        ],
        page: `${deps.origin}/data`,
      }
    },
  },
}

async function read(deps: Deps, path: string, args: Args): Promise<Args> {
  // A file is for people.
  if ('format' in args) throw new ToolError('format: is not a filter')
  const response = await deps.fetch(`${path}?${toParams(args).toString()}`)
  if (!response.ok) throw await toRefusal(response, deps)
  return (await response.json()) as Args
}

async function toRefusal(response: Response, { visitor }: Deps): Promise<ToolError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { code: ErrorCode; problems: { parameter: string; message: string }[] }
  }
  // An assistant knows tools and no paths.
  const words = body.error?.problems.map(({ parameter, message }) =>
    parameter === 'path' ? `This tool ${message} (${visitor.role})` : `${parameter}: ${message}`,
  )
  return new ToolError(words?.join('\n') ?? `Rollcall answered ${response.status}`)
}

function toParams(args: Args): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    for (const each of [(value ?? []) as string | number | string[]].flat()) params.append(name, String(each))
  }
  return params
}

/** Pinned to the moment of the answer, so that the page shows its number. Home has no filters of rows: then the list of rows. */
function toPage({ origin }: Deps, page: Call['page'], args: Args, asOf: string): string {
  if (page === '/health') return `${origin}${page}`
  const isOfMoment = page === '/' || page === '/assignments'
  const filters = omit(args, 'per_page', 'after', 'sort', ...(page === '/' ? ['metric'] : []))
  const params = toParams({ ...filters, ...(isOfMoment && { as_of: asOf }) })
  const path = page === '/' && rowOnly.some((key) => params.has(key)) ? '/assignments' : page
  return `${origin}${href(path, params)}`
}

/** What is not counted, and why. */
function toLeftOut({ visitor }: Deps, args: Args, value: unknown): string[] {
  const { excluded = {} } = (value ?? {}) as { excluded?: Record<string, number> }
  const { people, names } = visitor.audience
  return [
    ...Object.entries(excluded).flatMap(([reason, n]) => (n > 0 ? [`${n}: ${reason}`] : [])),
    'assignments that were deleted',
    ...(String(args.include_leavers) === 'true'
      ? []
      : ['people who have left; include_leavers=true counts them']),
    ...(people === 'all' ? [] : ['everyone who does not report to the person who asks']),
    ...(names ? [] : ['names of people, which are not granted']),
  ]
}

const toAfter = (next: unknown) =>
  typeof next === 'string' ? new URLSearchParams(next.split('?')[1]).get('after') : null

function toFilled(row: object): Args {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
