/** Runs the named `.sql` files beside this one; the caller checks the rows. */
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { createSqlReader } from '../../schemas/clickhouse/sql-reader.ts'
import { toOwnError } from '../errors.ts'
import { AudienceError } from '../audience/audience.ts'
import type { Reader } from '../read/reader.ts'
import { toSelf } from '../read/statement.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Filter } from '../scope/filter.ts'
import { filters } from '../scope/filters.ts'
import { readUnder } from './reporting-lines.ts'

const readSql = createSqlReader(join(import.meta.dirname, 'sql'))

/** Whom a statement is about, and so who gets it and how. */
export type About =
  /** The same for every reader. */
  | 'nobody'
  /** Counts and ids: of the people seen, where a reader sees some only. */
  | 'ids'
  /** Names, too, for readers who see them. */
  | 'names'
  /** Cannot be narrowed: refused to readers who see some people only. */
  | 'everybody'

export const statements = {
  arrivals: 'nobody',
  'change-counts': 'ids',
  changes: 'names',
  'complete-through': 'nobody',
  contradictions: 'nobody',
  'data-columns': 'nobody',
  'data-views': 'nobody',
  drift: 'nobody',
  'events-between': 'ids',
  'failed-body': 'everybody',
  'failed-list': 'nobody',
  'failed-reasons': 'nobody',
  grading: 'ids',
  'grading-backlog': 'ids',
  'grading-queue': 'names',
  'group-people': 'ids',
  'guide-rows': 'names',
  guides: 'ids',
  health: 'nobody',
  'missing-lists': 'nobody',
  'past-waits': 'ids',
  'platform-notices': 'nobody',
  receipt: 'nobody',
  sample: 'nobody',
  'setup-deliveries': 'everybody',
  'setup-names': 'everybody',
  'setup-pulls': 'nobody',
  'setup-totals': 'nobody',
  silence: 'nobody',
  standing: 'nobody',
  'stored-through': 'nobody',
  waits: 'ids',
} as const satisfies Record<string, About>

export type SqlName = keyof typeof statements

export async function selectRows(
  reader: Reader,
  name: SqlName,
  params: Record<string, unknown>,
  flags?: Readonly<Record<string, boolean>>,
): Promise<unknown[]> {
  try {
    const statement = await toStatement(reader, name, params, flags)
    const answer = await statement.client.query({ ...statement.query, format: 'JSONEachRow' })
    return await answer.json()
  } catch (error) {
    throw toOwnError(error, name)
  }
}

type Statement = { client: ClickHouseClient; query: { query: string; query_params: Record<string, unknown> } }

/** The statement for the reader's audience. It fails closed: a statement about people takes the ids of those seen, or is refused. */
async function toStatement(
  reader: Reader,
  name: SqlName,
  params: Record<string, unknown>,
  flags?: Readonly<Record<string, boolean>>,
): Promise<Statement> {
  const audience = reader.audience()
  const about: About = statements[name]
  const isNarrow = audience.people !== 'all'
  if (!audience.persons && (isGiven(params['user']) || isGiven(params['users']) || isGiven(params['under']))) {
    throw new AudienceError('persons', 'Numbers of single people are not shown to you')
  }
  const given = { ...toScopeFlags(params), ...flags, named: audience.names }
  const text = readSql(name, { ...given, seen: isNarrow })
  const query = `-- name: ${name}\n${text}`
  if (isNarrow && about !== 'nobody' && (about === 'everybody' || text === readSql(name, { ...given, seen: false }))) {
    throw new AudienceError('statement', `"${name}" cannot be narrowed to the people whom you may see`)
  }
  if (!audience.names && about === 'names' && !leavesOutNames(name, { ...given, seen: isNarrow })) {
    throw new AudienceError('statement', `"${name}" cannot be answered without names`)
  }
  const query_params = await toQueryParams(reader, params)
  if (!isNarrow || about === 'nobody') return { client: reader.client, query: { query, query_params } }
  const seen = (await reader.seenIds()) ?? []
  const narrowed = { seen: JSON.stringify(seen), seen_and_self: JSON.stringify([...seen, ...toSelf(audience)]) }
  return { client: reader.client, query: { query, query_params: { ...query_params, ...narrowed } } }
}

/** Single people may not be in the text at all, and then no names: whether it would leave them out is asked of a text with people. */
function leavesOutNames(name: SqlName, flags: Readonly<Record<string, boolean>>): boolean {
  const withPeople = { ...flags, persons: true }
  return readSql(name, { ...withPeople, named: false }) !== readSql(name, { ...withPeople, named: true })
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
}

/** A parameter whose value a query must find first. */
type AskedParam = (reader: Reader) => Promise<unknown>

/** The same parameter, found once for all the places that have it. */
export function askOnce(param: unknown): unknown {
  if (typeof param !== 'function') return param
  let found: Promise<unknown> | undefined
  return (reader: Reader) => (found ??= (param as AskedParam)(reader))
}

async function toQueryParams(reader: Reader, params: Record<string, unknown>): Promise<Record<string, unknown>> {
  const entries = Object.entries(params).map(async ([name, value]) => [
    name,
    typeof value === 'function' ? await (value as AskedParam)(reader) : value,
  ])
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>
}

/**
 * The ids as the text of a JSON array: as a list of literals 5,000 ids take the engine 0.8 s to plan, as one text 0.02 s.
 * An empty text = not given, an empty array = nobody.
 */
function askUnder(scope: Scope): AskedParam {
  return async (reader) => JSON.stringify(await readUnder(reader, scope))
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
    never: false,
  }
}

/** DateTime64(3, 'UTC') as text. */
export function toDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ')
}
