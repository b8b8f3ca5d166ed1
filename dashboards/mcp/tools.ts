/** The six tools. Each asks the JSON API or `/api/sql` from within, as the one who asks: the same rights, words and limits. */
import { z } from 'zod'
import type { ErrorCode } from '../api/api-context.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { kindOf, metricKeys, metricOf } from '../../schemas/metrics/metrics.ts'
import { rowSorts } from '../../reporting/scope/row-order.ts'
import { scopeParameters } from '../../reporting/scope/filters.ts'
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
  /** Where people open the dashboards. Left out: as the request says. */
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

/** The parts of every answer: its moment, how far the data are complete, its exclusions and why, and where people see it. */
export type Answer = Record<string, unknown> & {
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

/** Far more than an assistant reads. */
const maxSqlCharacters = 4 * 1024 ** 2

type Tool = {
  title: string
  description: string
  input: z.ZodObject
  run(args: Record<string, unknown>, deps: Deps): Promise<Answer>
}

/** Attributes of people besides: which there are, the API says. */
const filters = z.object(scopeParameters).catchall(z.array(z.string()))
const metric = z.enum(metricKeys)
const part = z
  .string()
  .max(100)
  .optional()
  .describe('A part of “metric”; the answer of the tool “metric” names them')
const pick = (args: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)))
const omit = (args: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))

export const tools: Record<string, Tool> = {
  definitions: {
    title: 'What the metrics mean',
    description:
      'Title, definition and formula of one metric or of all. With one also its parts and the SQL that gives it.',
    input: z.strictObject({ metric: metric.optional().describe('Default: all') }),
    async run(args, deps) {
      const { metric } = args as { metric?: keyof Metrics }
      const definitions = (metric === undefined ? metricKeys : [metric]).map((key) => {
        const { title, definition, formula } = metricOf(key)
        return { metric: key, title, kind: kindOf(key), definition, formula }
      })
      const explained = metric && (await readOrRefused<Explained>(deps, '/api/metrics/explain', { metric }))
      return {
        ...(await toFrame(deps)),
        definitions,
        ...(explained && { sql: explained.sql, parts: explained.parts.map((each) => each.part) }),
        left_out:
          metric !== undefined && explained === undefined
            ? ['SQL and parts, which are not for this role']
            : [],
        page: `${deps.origin}/help`,
      }
    },
  },
  metric: {
    title: 'A number',
    description:
      'One metric with its parts, or all metrics, for a scope and a moment. Shares are 0 to 1, times are milliseconds; null means no data.',
    input: filters.extend({ metric: metric.optional().describe('Default: all') }),
    async run(args, deps) {
      const { metric } = args as { metric?: keyof Metrics }
      const scope = omit(args, 'metric')
      const explained = metric && (await readOrRefused<Explained>(deps, '/api/metrics/explain', args))
      const answer = explained ?? (await read<AllMetrics>(deps, '/api/metrics', scope))
      const metrics = 'metrics' in answer ? answer.metrics : { [metric ?? '']: answer.value }
      return {
        ...toMoment(answer),
        ...(metric === undefined ? { metrics } : { metric, value: (metrics as Args)[metric] }),
        ...(explained && {
          ...pick(explained, 'title', 'definition'),
          parts: Object.fromEntries(explained.parts.map((each) => [each.part, each.count])),
        }),
        left_out: toLeftOut(deps, args, pick(metrics, metric ?? '')),
        page: toPage(deps, '/', scope, answer),
      }
    },
  },
  compare: {
    title: 'Two scopes or two moments',
    description:
      'The same metrics for two scopes, such as two teams, or the same team at two moments. The difference is the second less the first.',
    input: z.strictObject({
      metric: metric.optional().describe('Default: all'),
      first: filters,
      second: filters,
    }),
    async run(args, deps) {
      const { metric, first, second } = args as { metric?: keyof Metrics; first: Args; second: Args }
      const before = await read<AllMetrics>(deps, '/api/metrics', first)
      const after = await read<AllMetrics>(deps, '/api/metrics', second)
      const metrics = (metric === undefined ? metricKeys : [metric]).map((key) => ({
        metric: key,
        first: before.metrics[key],
        second: after.metrics[key],
        difference: toDifference(before.metrics[key], after.metrics[key]),
      }))
      return {
        ...toMoment(after),
        first: { ...toMoment(before), page: toPage(deps, '/', first, before) },
        metrics,
        left_out: [...new Set([...toLeftOut(deps, first, {}), ...toLeftOut(deps, second, {})])],
        page: toPage(deps, '/', second, after),
      }
    },
  },
  rows: {
    title: 'The assignments behind a number',
    description:
      'Assignments of a scope, or of one part of a metric. Fields that are unknown or empty are left away. People are user ids; names only where they are granted. ' +
      'The page of a row is /assignments/ and its assignment_id, that of a person /learners/ and the user_id.',
    input: filters.extend({
      metric: metric.optional().describe('With “part”: the rows of that part'),
      part,
      sort: z
        .enum(rowSorts.flatMap((by) => [by, `-${by}`]))
        .optional()
        .describe('Default: -created'),
      limit: z.int().min(1).max(100).optional().describe('Default: 20'),
      after: z.string().max(1_000).optional().describe('“next” of the answer before'),
    }),
    async run(args, deps) {
      const { limit = 20 } = args as { limit?: number }
      const filters = omit(args, 'limit')
      const path =
        args.metric === undefined && args.part === undefined
          ? '/api/assignments'
          : '/api/metrics/explain/rows'
      const answer = await read<RowsAnswer>(deps, path, { ...filters, per_page: limit })
      const { complete_up_to } = await toFrame(deps)
      return {
        ...toMoment(answer),
        complete_up_to,
        list: {
          rows: answer.assignments.map(toFilled),
          total: answer.total,
          next: new URLSearchParams(answer.next?.split('?')[1]).get('after'),
        },
        left_out: toLeftOut(deps, args, {}),
        page: toPage(deps, '/assignments', omit(filters, 'after', 'sort'), answer),
      }
    },
  },
  health: {
    title: 'Whether the numbers are complete',
    description:
      'Up to when everything received is counted, how many deliveries wait, since when it stands still. For owners also why, and which deliveries failed.',
    input: z.strictObject({}),
    async run(_, deps) {
      const standing = await deps.standing()
      const isOwner = deps.visitor.role === 'owner'
      const failed = await readOrRefused<object>(deps, '/api/failed-events', { limit: 0 })
      return {
        ...(await toFrame(deps)),
        ...omit(standing, 'reason', 'complete_through'),
        ...(isOwner && { reason: standing.reason }),
        ...(failed && { failed_deliveries: omit({ ...failed }, 'events') }),
        left_out: isOwner ? [] : ['failed deliveries and reasons, which are for owners'],
        page: `${deps.origin}${isOwner ? '/health' : '/'}`,
      }
    },
  },
  sql: {
    title: 'Read-only SQL',
    description:
      'One SELECT in ClickHouse’s SQL over the views of the data dictionary: assignments, assignments_as_of(as_of, due_zone, due_end, due_soon_days), events ... ' +
      'SHOW TABLES and DESCRIBE TABLE say what there is. Leave out FORMAT. Prefer “metric” where it has the number: its definition is checked.',
    input: z.strictObject({
      statement: z.string().min(1).max(20_000),
      limit: z.int().min(1).max(1_000).optional().describe('Rows of the answer. Default: 100'),
    }),
    async run(args, deps) {
      const { statement, limit = 100 } = args as { statement: string; limit?: number }
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
        ...(await toFrame(deps)),
        columns,
        types,
        list: { rows, total: Math.max(0, total), next: null },
        left_out: [
          'people who have left, from assignments and assignments_as_of; assignments_all has everybody',
        ],
        page: `${deps.origin}/data`,
      }
    },
  },
}

type Args = Record<string, unknown>
type Frame = { as_of: string; complete_through?: string | null }
type AllMetrics = Frame & { metrics: Metrics }
type Explained = Frame & {
  value: unknown
  title: string
  definition: string
  sql: string
  parts: { part: string; count: number }[]
}
type RowsAnswer = Frame & { total: number; next: string | null; assignments: object[] }

async function toFrame({ standing, clock }: Deps): Promise<Pick<Answer, 'as_of' | 'complete_up_to'>> {
  return { as_of: new Date(clock()).toISOString(), complete_up_to: (await standing()).complete_through }
}

/** The zones and settings of an answer stay in it: they decide who is late. */
function toMoment({
  as_of,
  complete_through = null,
  ...frame
}: Frame): Pick<Answer, 'as_of' | 'complete_up_to'> {
  return { as_of, complete_up_to: complete_through, ...pick(frame, 'time_zone', 'due_zone', 'due_end') }
}

async function read<Json>(deps: Deps, path: string, args: Args): Promise<Json> {
  // A file is for people.
  if ('format' in args) throw new ToolError('format: is not a filter')
  const response = await deps.fetch(`${path}?${toParams(args).toString()}`)
  if (!response.ok) throw await toRefusal(response, deps)
  return (await response.json()) as Json
}

/** `undefined`: it is not for this reader. */
function readOrRefused<Json>(deps: Deps, path: string, args: Args): Promise<Json | undefined> {
  return read<Json>(deps, path, args).catch((error: unknown) => {
    if (error instanceof ToolError && error.cause === 'FORBIDDEN') return undefined
    throw error
  })
}

async function toRefusal(response: Response, { visitor }: Deps): Promise<ToolError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { code: ErrorCode; problems: { parameter: string; message: string }[] }
  }
  // An assistant knows tools and no paths.
  const words = body.error?.problems.map(({ parameter, message }) =>
    parameter === 'path' ? `This tool ${message} (${visitor.role})` : `${parameter}: ${message}`,
  )
  return new ToolError(words?.join('\n') ?? `Rollcall answered ${response.status}`, {
    cause: body.error?.code,
  })
}

function toParams(args: Args): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    for (const each of [(value ?? []) as string | number | string[]].flat()) params.append(name, String(each))
  }
  return params
}

/** Pinned to the moment of the answer, so that the page shows its number; a filter of rows means nothing on Home. */
function toPage({ origin }: Deps, path: '/' | '/assignments', args: Args, { as_of }: Frame): string {
  const params = toParams({ ...args, as_of })
  return `${origin}${href(rowOnly.some((key) => params.has(key)) ? '/assignments' : path, params)}`
}

/** The exclusions of an answer, and why. */
function toLeftOut({ visitor }: Deps, args: Args, values: Args): string[] {
  const exclusions: string[] = []
  for (const value of Object.values(values)) {
    const { excluded = {} } = (value ?? {}) as { excluded?: Record<string, number> }
    for (const [reason, count] of Object.entries(excluded))
      if (count > 0) exclusions.push(`${count}: ${reason}`)
  }
  exclusions.push('assignments that were deleted')
  if (String(args.include_leavers) !== 'true')
    exclusions.push('people who have left; include_leavers=true counts them')
  if (visitor.audience.people !== 'all')
    exclusions.push('everybody who is not among the people of the one who asks')
  if (!visitor.audience.names) exclusions.push('names of people, which are not granted')
  return exclusions
}

/** Subtracts the numbers that both have. */
function toDifference(before: unknown, after: unknown): Args {
  const pairs = Object.entries(before as Args).flatMap(([name, first]) => {
    const second = (after as Args)[name]
    return typeof first === 'number' && typeof second === 'number' ? [[name, second - first]] : []
  })
  return Object.fromEntries(pairs) as Args
}

function toFilled(row: object): Args {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
