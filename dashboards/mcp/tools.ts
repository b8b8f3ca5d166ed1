/**
 * The tools of assistants: names over operations of the JSON API, and two of their own. Each asks from within, as the reader who asks,
 * so rights, words and limits are the same.
 */
import { z } from 'zod'
import type { ApiProblem } from '../api/endpoint.ts'
import { operations } from '../api/operations.ts'
import { mayOpen } from '../access/route-policy.ts'
import type { SqlResult } from '../pages/data/run-sql.ts'
import type { Standing } from '../../reporting/statements/standing.ts'
import type { Visitor } from '../../services/access/visitor.ts'
import { rowOnly } from '../scope/follow.ts'
import { href } from '../scope/page-url.ts'

/** Who asks, and what can be asked as they. */
export type Asker = {
  visitor: Visitor
  standing(): Promise<Standing>
  fetch(path: string): Promise<Response>
  sql(statement: string): Promise<SqlResult>
  now: string
  /** Where people open the dashboards, without a slash at the end. */
  origin: string
}

type Args = Record<string, unknown>

/** What is not counted and why, and a page with the same numbers. */
export type Answer = Args & {
  as_of?: string
  /** Default: as far as everything received is stored. */
  complete_up_to?: string | null
  left_out: string[]
  page: string
  /** `total`: `null` if nobody counted them. */
  list?: { rows: unknown[]; total: number | null; next: string | null }
}

/** The message to an assistant in place of an answer. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

type Tool = {
  title: string
  description: string
  input: z.ZodObject
  run(args: Args, asker: Asker): Promise<Answer>
}

type Call = {
  page: '/' | '/assignments' | '/changes' | '/guides' | '/health'
  /** Where the answer has its rows, and the parameter that limits them. */
  list?: { rows: string; limit: 'per_page' | 'limit' }
  /** For assistants, after the summary of the operation. */
  more?: string
}

const limit = (most: number, usual: number) =>
  z.int().min(1).max(most).default(usual).describe('Rows of the answer')

const omit = (args: Args, ...names: string[]) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))

/** A tool that asks an operation. */
function call(id: string, { page, list, more = '' }: Call): Tool {
  const operation = operations.find((each) => each.id === id)
  if (operation?.query === undefined) throw new Error(`${id} is no operation with parameters`)
  const { query, path, summary } = operation
  const filters = z.object(omit(query.shape, 'format', 'columns') as z.ZodRawShape)
  const countsPeople = 'team' in query.shape
  const shape = list === undefined ? filters : filters.extend({ [list.limit]: limit(100, 20) })
  return {
    title: summary,
    description: [`${summary}.`, operation.description, more].filter(Boolean).join(' '),
    // Which attributes of people there are, the API says.
    input: countsPeople ? shape.catchall(z.array(z.string())) : shape.strict(),
    async run(args, asker) {
      const answer = await read(asker, `/api${path}`, args)
      const { complete_through: through } = await asker.standing()
      const { as_of, to, complete_through = through, next, total, ...rest } = answer
      const asOf = (as_of ?? to ?? asker.now) as string
      return {
        as_of: asOf,
        complete_up_to: complete_through as string | null,
        ...omit(rest, list?.rows ?? ''),
        ...(list && {
          list: {
            rows: (answer[list.rows] as object[]).map(toFilled),
            total: Number(total),
            next: toAfter(next),
          },
        }),
        left_out: countsPeople ? toLeftOut(asker, args, rest['value']) : [],
        page: toPage(asker, page, args, asOf),
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
    async run(_, { standing, visitor, origin }) {
      const { complete_through: _through, reason, ...rest } = await standing()
      const isOwner = visitor.role === 'owner'
      return {
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
    input: z.strictObject({ statement: z.string().min(1).max(20_000), limit: limit(500, 100) }),
    async run(args, { visitor, sql, origin }) {
      if (!mayOpen(visitor.role, '/api/sql')) throw toRefusal(visitor, 'is not for your role')
      const { statement, limit } = args as { statement: string; limit: number }
      const result = await sql(statement)
      if (result.kind === 'refused') throw new ToolError(result.message)
      const { columns, rows, hasMore } = result
      return {
        columns,
        list: { rows: rows.slice(0, limit), total: hasMore ? null : rows.length, next: null },
        left_out: [
          'people who have left, from assignments and assignments_as_of; assignments_all has everyone',
        ],
        page: `${origin}/data`,
      }
    },
  },
}

async function read({ fetch, visitor }: Asker, path: string, args: Args): Promise<Args> {
  // A file is for people.
  if ('format' in args) throw new ToolError('format: is not a filter')
  const response = await fetch(`${path}?${toParams(args).toString()}`)
  if (response.ok) return (await response.json()) as Args
  const { error } = (await response.json()) as { error: { problems: ApiProblem[] } }
  const words = error.problems.map(({ parameter, message }) =>
    parameter === 'path' ? toRefusal(visitor, message).message : `${parameter}: ${message}`,
  )
  throw new ToolError(words.join('\n'))
}

/** An assistant knows tools and no paths. */
const toRefusal = ({ role }: Visitor, message: string) => new ToolError(`This tool ${message} (${role})`)

function toParams(args: Args): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    for (const each of [(value ?? []) as string | number | string[]].flat()) params.append(name, String(each))
  }
  return params
}

/** Pinned to the moment of the answer, so that the page shows its number. Home has no filters of rows: then the list of rows. */
function toPage({ origin }: Asker, page: Call['page'], args: Args, asOf: string): string {
  if (page === '/health') return `${origin}${page}`
  const isOfMoment = page === '/' || page === '/assignments'
  const filters = omit(args, 'per_page', 'after', 'sort', ...(page === '/' ? ['metric'] : []))
  const params = toParams({ ...filters, ...(isOfMoment && { as_of: asOf }) })
  const path = page === '/' && rowOnly.some((key) => params.has(key)) ? '/assignments' : page
  return `${origin}${href(path, params)}`
}

/** What is not counted, and why. */
function toLeftOut({ visitor }: Asker, args: Args, value: unknown): string[] {
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
