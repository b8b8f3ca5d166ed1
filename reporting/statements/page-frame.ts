/** The frame of every page around its numbers: of which moment it is, how fresh the data are, and the names for its filters. */
import { z } from 'zod'
import { toInstant, toInstantOrNull } from '../../schemas/instant.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Freshness, Option, PageFrame } from '../metrics/overview.ts'
import { compareNamed } from '../metrics/to-overview.ts'
import type { Reader } from '../read/reader.ts'
import { instant, raw, sql } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { toAttribute, toAttributeKey } from '../scope/filters.ts'
import { names, namesSchema, readSomePeople, valuesNow } from './people.ts'
import { readCompleteThrough, readIsSample } from './standing.ts'

export type PageMoment = PageFrame & {
  answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone' | 'due_end'>
}

export async function readFrame(reader: Reader, scope: Scope): Promise<PageFrame> {
  const [freshness, options] = await Promise.all([readFreshness(reader, scope), readOptions(reader, scope)])
  return { freshness, options }
}

export async function readPageMoment(reader: Reader, scope: Scope): Promise<PageMoment> {
  const { timeZone, dueZone, dueEnd } = scope
  return {
    ...(await readFrame(reader, scope)),
    answer: { as_of: toInstant(scope.asOf), time_zone: timeZone, due_zone: dueZone, due_end: dueEnd },
  }
}

/** `attributes`: those whose values are offered. */
export const values: Statement<{ attributes: readonly string[] }> = {
  name: 'values',
  about: 'ids',
  isHeld: true,
  text: ({ attributes }, seen) => valuesNow(seen, attributes),
}

/** All names, whatever the scope: a filter must not remove its own alternatives. `people`: those that the scope names. */
export async function readOptions(reader: Reader, scope: Scope): Promise<PageFrame['options']> {
  const { attributes = [] } = reader
  const [latest, offered, people] = await Promise.all([
    select(reader, names, {}),
    attributes.length === 0 ? [] : select(reader, values, { attributes }),
    readNames(reader, scope, [...scope.manager, ...scope.user]),
  ])
  const byKind = Map.groupBy(namesSchema.parse([...latest, ...offered]), ({ kind }) => kind)
  const optionsOf = (kind: string): Option[] =>
    (byKind.get(kind) ?? []).map(({ id, name }) => ({ id, name })).sort(compareNamed)
  const ofPeople = [...byKind.keys()].flatMap((kind) => toAttribute(kind) ?? []).sort()
  return {
    challenges: optionsOf('challenge'),
    teams: optionsOf('team'),
    people: [...people].map(([id, name]) => ({ id, name })),
    attributes: ofPeople.map((name) => ({ name, values: optionsOf(toAttributeKey(name)) })),
  }
}

/** When events came last, epoch ms, 0 = never. Changes with every event. */
const arrived: Statement<unknown> = {
  name: 'arrived',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  isUsual: true,
  text: () =>
    raw(`SELECT
    max(type_number) > 0 AS has_challenge_events,
    toUnixTimestamp64Milli(max(received_at)) AS newest,
    -- Not what reconciliation made: it comes also while the webhook is broken.
    toUnixTimestamp64Milli(maxIf(received_at, type_number > 0 AND source != 'reconcile')) AS newest_by_webhook
FROM rollcall.event_rows`),
}

type Since = { hour: number; today: number }

/** Events of the hour before by webhook, and those of today that Rollcall does not know. */
const recent: Statement<Since> = {
  name: 'recent',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  text({ hour, today }) {
    const ofHour = sql`received_at >= ${instant(hour)} AND source != 'reconcile'`
    const isUnknown = sql`received_at >= ${instant(today)} AND type_number = 0 AND event_type != 'userDeleted'`
    return sql`SELECT countIf(${ofHour}) AS last_hour, uniqExactIf(event_id, ${isUnknown}) AS unrecognised_today
FROM rollcall.event_rows
WHERE ${ofHour} OR ${isUnknown}`
  },
}

const failed: Statement<Since> = {
  name: 'failed',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  text: ({ today }) => sql`SELECT
    toUnixTimestamp64Milli(max(received_at)) AS newest_failed,
    uniqExactIf(event_id, received_at >= ${instant(today)}) AS failed_today
FROM rollcall.failed_event_rows`,
}

const arrivedSchema = z.tuple([
  z.object({ has_challenge_events: z.number(), newest: z.number(), newest_by_webhook: z.number() }),
])
const recentSchema = z.tuple([z.object({ last_hour: z.number(), unrecognised_today: z.number() })])
const failedSchema = z.tuple([z.object({ newest_failed: z.number(), failed_today: z.number() })])

export async function readArrived(reader: Reader): Promise<z.infer<typeof arrivedSchema>[0]> {
  return arrivedSchema.parse(await select(reader, arrived, {}))[0]
}

async function readFreshness(reader: Reader, { now, timeZone }: Scope): Promise<Freshness> {
  // To the minute, so that answers are shared within it.
  const hour = now - (now % 60_000) - 3_600_000
  const since = { hour, today: toStartOfDay(timeZone, toLocalDate(timeZone, now)) }
  const [{ newest, has_challenge_events }, ofEvents, ofFailed, sample, through] = await Promise.all([
    readArrived(reader),
    select(reader, recent, since),
    select(reader, failed, since),
    readIsSample(reader),
    readCompleteThrough(reader),
  ])
  const [{ newest_failed, failed_today }] = failedSchema.parse(ofFailed)
  return {
    ...recentSchema.parse(ofEvents)[0],
    last_event_at: toInstantOrNull(Math.max(newest, newest_failed)),
    has_challenge_events: has_challenge_events === 1,
    failed_today,
    sample,
    complete_through: toInstantOrNull(through),
  }
}

/** The names of a few people by id, or the ids where the reader sees no names. Without ids it asks nothing. */
export async function readNames(
  reader: Reader,
  moment: Scope,
  users: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { names: isNamed } = reader.audience()
  const known = await readSomePeople(reader, moment, users)
  return new Map([...known].map(([id, { name }]) => [id, isNamed ? name : id]))
}
