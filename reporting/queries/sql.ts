/** Runs the named `.sql` files beside this one; the caller checks the rows. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ClickHouseClient, Row } from '@clickhouse/client'
import { createSqlReader } from '../../schemas/clickhouse/sql-reader.ts'
import { DataUnavailableError } from '../errors.ts'
import { AudienceError, type Audience, type PeopleSeen } from '../audience/audience.ts'
import { linesMaxAgeMs, readSeen, toSeer } from '../audience/seen-by.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Filter } from '../scope/filter.ts'
import { filters, rowFilters } from '../scope/filters.ts'
import { toPartFlags } from '../scope/part-filter.ts'
import { toReporting, underAnyOf, type Reporting } from './reporting-lines.ts'

const readSql = createSqlReader(join(import.meta.dirname, 'sql'))

type SqlName =
  | 'all-assignments'
  | 'change-counts'
  | 'changes'
  | 'events-of'
  | 'learners'
  | 'person'
  | 'complete-through'
  | 'events-between'
  | 'facts-by-person'
  | 'waits'
  | 'blocks'
  | 'page'
  | 'part-list'
  | 'part-counts'
  | 'part-rows'
  | 'rankings'
  | 'assignments'
  | 'groups'
  | 'groups-by-person'
  | 'group-people'
  | 'guides'
  | 'guide-rows'
  | 'grading'
  | 'grading-backlog'
  | 'grading-queue'
  | 'late-assignments'
  | 'links'
  | 'overdue'
  | 'people-names'
  | 'row-people'
  | 'sample'
  | 'search'
  | 'stored-through'
  | 'setup-deliveries'
  | 'setup-names'
  | 'setup-pulls'
  | 'data-views'
  | 'data-columns'
  | 'setup-totals'
  | 'standing'
  | 'receipt'
  | 'failed-reasons'
  | 'failed-list'
  | 'failed-body'
  | 'contradictions'
  | 'missing-lists'
  | 'platform-notices'
  | 'drift'
  | 'health'
  | 'arrivals'
  | 'silence'
  | 'team-people'

export async function selectRows(
  client: ClickHouseClient,
  name: SqlName,
  params: Record<string, unknown>,
  flags?: Readonly<Record<string, boolean>>,
): Promise<unknown[]> {
  try {
    const statement = await toStatement(client, name, params, flags)
    const answer = await statement.client.query({ ...statement.query, format: 'JSONEachRow' })
    return await answer.json()
  } catch (error) {
    throw toOwnError(error, name)
  }
}

/** As `selectRows`, for rows of megabytes: other work of this thread gets its turn after each. */
export async function selectLargeRows(
  client: ClickHouseClient,
  name: SqlName,
  params: Record<string, unknown>,
  flags?: Readonly<Record<string, boolean>>,
): Promise<unknown[]> {
  const all: unknown[] = []
  try {
    const statement = await toStatement(client, name, params, flags)
    const answer = await statement.client.query({ ...statement.query, format: 'JSONEachRow' })
    for await (const rows of answer.stream()) {
      for (const row of rows) {
        all.push(row.json())
        await nextTurn()
      }
    }
    return all
  } catch (error) {
    throw toOwnError(error, name)
  }
}

/** Streams rows; a caller that stops early stops the query. Fails before the first row where possible. */
export async function streamRows(
  client: ClickHouseClient,
  name: SqlName,
  params: Record<string, unknown>,
  flags?: Readonly<Record<string, boolean>>,
): Promise<AsyncIterable<unknown[]>> {
  try {
    const statement = await toStatement(client, name, params, flags)
    const answer = await statement.client.query({ ...statement.query, format: 'JSONEachRow' })
    return decode(answer.stream())
  } catch (error) {
    throw toOwnError(error, name)
  }
}

type Statement = { client: ClickHouseClient; query: { query: string; query_params: Record<string, unknown> } }

/** A statement with the first comment is the same for every reader, one with the second for those without names. */
const aboutNobody = '-- Holds nothing about people.'
const withoutNames = '-- Holds no names of people.'
/** Who, without a name: those who left, or who are in a team. */
const onlyIds = 'SELECT user_id FROM rollcall.user_versions'
/** Takes the ids of the people seen, or these and the reader's own. */
const takesSeen = /\{seen(_and_self)?:String\}/

/**
 * The statement for the client's audience. It fails closed: for an audience that sees some people only, a statement must
 * take their ids as `seen`, and for one without names it must leave names out, or say that it holds nothing about people.
 */
async function toStatement(
  client: ClickHouseClient,
  name: SqlName,
  params: Record<string, unknown>,
  flags?: Readonly<Record<string, boolean>>,
): Promise<Statement> {
  const { client: own, audience } = toSeer(client)
  const isNarrow = audience.people !== 'all'
  const given = { ...toScopeFlags(params), ...flags, seen: isNarrow }
  const query = readSql(name, { ...given, named: audience.names })
  const named = readSql(name, { ...given, named: true })
  checkAudience(audience, name, { query, named }, params)
  const query_params = await toQueryParams(client, params)
  if (!isNarrow || !takesSeen.test(query)) return { client: own, query: { query, query_params } }
  const seen = (await readSeenIds(client)) ?? []
  const narrowed = { seen: JSON.stringify(seen), seen_and_self: JSON.stringify([...seen, ...toSelf(audience)]) }
  return { client: own, query: { query, query_params: { ...query_params, ...narrowed } } }
}

/** `named`: the same statement for readers who see names. */
function checkAudience(
  audience: Audience,
  name: SqlName,
  { query, named }: { query: string; named: string },
  params: Record<string, unknown>,
): void {
  if (!audience.persons && (isGiven(params['user']) || isGiven(params['users']) || isGiven(params['under']))) {
    throw new AudienceError('persons', 'Numbers of single people are not shown to you')
  }
  if (query.includes(aboutNobody)) return
  if (audience.people !== 'all' && !takesSeen.test(query)) {
    throw new AudienceError('statement', `"${name}" cannot be narrowed to the people whom you may see`)
  }
  const mayName = /\b(people_at|user_versions|user_observations|rollcall\.people)\b/.test(query.replaceAll(onlyIds, ''))
  if (!audience.names && mayName && query === named && !query.includes(withoutNames)) {
    throw new AudienceError('statement', `"${name}" cannot be answered without names`)
  }
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
}

/** The ids of the people that the client's audience sees; `null`: everybody. */
export function readSeenIds(client: ClickHouseClient): Promise<string[] | null> {
  return readSeen(client, readPeopleSeen)
}

/** For managers of the people seen: another manager of theirs may be a stranger to the reader. */
export async function readSeenAndSelf(client: ClickHouseClient): Promise<Set<string> | null> {
  const seen = await readSeenIds(client)
  return seen === null ? null : new Set([...seen, ...toSelf(toSeer(client).audience)])
}

function toSelf({ people }: Audience): string[] {
  return people === 'all' ? [] : [...people.under, ...people.teamsOf]
}

/** Who reports to whom today, read once for all readers of a store: they are many when digests go out. */
const linesOfToday = new WeakMap<ClickHouseClient, { at: number; lines: Promise<Reporting> }>()

function readLinesOfToday(client: ClickHouseClient, now: number): Promise<Reporting> {
  const held = linesOfToday.get(client)
  if (held !== undefined && Math.abs(now - held.at) <= linesMaxAgeMs) return held.lines
  const lines = selectRows(client, 'links', { as_of: toDateTime(now), now: toDateTime(now) }).then(toReporting)
  const own = { at: now, lines }
  linesOfToday.set(client, own)
  lines.catch(() => linesOfToday.get(client) === own && linesOfToday.delete(client))
  return lines
}

async function readPeopleSeen(client: ClickHouseClient, people: PeopleSeen, now: number): Promise<string[]> {
  const moment = { as_of: toDateTime(now), now: toDateTime(now) }
  const [lines, members] = await Promise.all([
    people.under.length === 0 ? null : readLinesOfToday(client, now),
    people.teams.length + people.teamsOf.length === 0
      ? []
      : selectRows(client, 'team-people', { ...moment, teams: people.teams, teams_of: people.teamsOf }),
  ])
  const inTeams = memberSchema.parse(members).map(({ user_id }) => user_id)
  const under = lines === null ? [] : underAnyOf(lines, people.under)
  return [...new Set([...under, ...inTeams])]
}

const memberSchema = z.array(z.object({ user_id: z.string() }))

async function* decode(stream: AsyncIterable<Row[]>): AsyncGenerator<unknown[]> {
  for await (const rows of stream) yield rows.map((row) => row.json())
}

function toOwnError(error: unknown, name: SqlName): unknown {
  return isPassing(error)
    ? new DataUnavailableError(`The store could not answer "${name}" just now`, { retryAfterMs: 2_000, cause: error })
    : error
}

/** Too slow, too busy, out of memory, unreachable: conditions that may pass. */
const passingCodes = new Set(['159', '202', '209', '210', '241', '439', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])

function isPassing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && passingCodes.has(String(error.code))
}

/** A parameter whose value a query must find first. */
type AskedParam = (client: ClickHouseClient) => Promise<unknown>

/** The same parameter, found once for all the places that have it. */
export function askOnce(param: unknown): unknown {
  if (typeof param !== 'function') return param
  let found: Promise<unknown> | undefined
  return (client: ClickHouseClient) => (found ??= (param as AskedParam)(client))
}

async function toQueryParams(
  client: ClickHouseClient,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(params).map(async ([name, value]) => [
    name,
    typeof value === 'function' ? await (value as AskedParam)(client) : value,
  ])
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>
}

/** The people under the managers of a scope; of them those that the client's audience sees. */
export async function readUnder(
  client: ClickHouseClient,
  { manager, managerDepth, asOf, now }: Scope,
): Promise<string[]> {
  // The whole organisation is walked. A manager that the reader does not see leads nobody, like one who does not exist.
  const { client: own } = toSeer(client)
  const [links, seen, shown] = await Promise.all([
    selectRows(own, 'links', { as_of: toDateTime(asOf), now: toDateTime(now) }),
    readSeenIds(client),
    readSeenAndSelf(client),
  ])
  const managers = manager.filter((id) => shown?.has(id) ?? true)
  const under = underAnyOf(toReporting(links), managers, managerDepth)
  return seen === null ? [...under] : seen.filter((id) => under.has(id))
}

/**
 * The ids as the text of a JSON array: as a list of literals 5,000 ids take the engine 0.8 s to plan, as one text 0.02 s.
 * An empty text = not given, an empty array = nobody.
 */
function askUnder(scope: Scope): AskedParam {
  return async (client) => JSON.stringify(await readUnder(client, scope))
}

/** The parameters that every statement over a scope has. The caller that runs the statement resolves what must be asked first. */
export function toScopeParams(scope: Scope): Record<string, unknown> {
  return Object.assign(
    {
      as_of: toDateTime(scope.asOf),
      now: toDateTime(scope.now),
      under: scope.manager.length === 0 ? '' : askUnder(scope),
    },
    ...filters.map((filter: Filter) => filter.sql?.(scope) ?? {}),
  ) as Record<string, unknown>
}

/** Which filters of `schemas/clickhouse/shared/scope-facts.sql` a statement with these parameters has: the others take time to plan. */
function toScopeFlags(params: Record<string, unknown>): Record<string, boolean> {
  // A parameter that is missing counts as given, so that the engine refuses the statement instead of leaving out a filter.
  const isList = (name: string) => !Array.isArray(params[name]) || params[name].length > 0
  const isWindow = (name: string) => params[`${name}_from`] !== 0 || params[`${name}_to`] !== 65_535
  return {
    only_assigned: isWindow('assigned'),
    only_completed: isWindow('completed'),
    only_due: isWindow('due'),
    only_challenge: isList('challenge'),
    only_user: isList('user'),
    only_team: isList('team'),
    without_left: !isList('team') && params['include_leavers'] !== true,
    only_facts: ['fact_mask', 'status_mask', 'aging_mask'].some((name) => params[name] !== '0'),
    only_moving: false,
    view: false,
    never: false,
  }
}

/** The same of a statement over the rows of a scope (`rows-at.sql`), with the flags for its lines. */
export function toRowsAt(scope: Scope): { params: Record<string, unknown>; flags: Record<string, boolean> } {
  const own = rowFilters.map((filter: Filter) => filter.sql?.(scope) ?? {})
  return { params: Object.assign(toScopeParams(scope), ...own) as Record<string, unknown>, flags: toPartFlags(scope) }
}

/** DateTime64(3, 'UTC') as text. */
export function toDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ')
}
