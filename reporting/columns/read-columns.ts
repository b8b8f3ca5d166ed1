/** Where the store is not held: the versions that a question needs, read into columns for it. */
import { DataUnavailableError, toOwnError } from '../errors.ts'
import { createEmpty, createTurns, type Memory, type Turns, type Use } from './memory.ts'
import type { Block } from './native.ts'
import { People } from './people.ts'
import { findFitting, type InScope } from './select.ts'
import { whereOf } from '../scope/filters.ts'
import type { Needs, Source } from './source.ts'

/** What decides which versions are needed. */
export type RowsQuestion = {
  /** The scopes at their moments. */
  moments: readonly InScope[]
  /** Also versions that held since this instant, epoch ms. Default: the earliest moment. */
  since?: number
  /** Also versions out of scope, of assignments that have one in scope. Default: no. */
  ofWholeAssignments?: boolean
}

/** Rows that were read. They answer one at a time. */
type Reading = { memory: Memory; inTurn: Turns }
/** What was read for the questions of a moment: people for all of them, rows by what is needed. */
export type Readings = { people?: Promise<People>; of: Map<string, Promise<Reading>> }

/** More ids than this are not worth a condition. */
const mostIds = 5_000
/** More rows than this are read one reading at a time, so that memory stays bounded. */
export const mostRowsBeside = 200_000
const mostWaitMs = 10_000
/** Questions of the same minute share what is read. */
const minuteMs = 60_000

type Rest = {
  readings: Readings
  /** How many versions are stored. Infinity if unknown. */
  rows: number
  /** Who asks. */
  request: object
}

export function createColumnReader(source: Source) {
  const lock = createLock()
  return async function readFor<Answer>(
    question: RowsQuestion,
    use: Use<Answer>,
    { readings, rows, request }: Rest,
  ): Promise<Answer> {
    const people = await (readings.people ??= readPeople(source).catch(refuse))
    const needs = toNeeds(people, question)
    const key = JSON.stringify(needs)
    const isFiltered = needs.users !== undefined || needs.challenges !== undefined
    // A filter can leave nearly everything.
    const needed =
      rows <= mostRowsBeside || readings.of.has(key) || !isFiltered
        ? rows
        : await source.countVersions(needs).catch(refuse)
    const shared = readings.of.get(key)
    if (shared !== undefined) return answer(await shared, use)
    const read = async () => {
      const reading = readColumns(people, source.readVersions({ ...needs, rows: needed })).catch(refuse)
      readings.of.set(key, reading)
      reading.catch(() => readings.of.delete(key))
      return answer(await reading, use)
    }
    if (needed <= mostRowsBeside) return read()
    // Only those who ask meanwhile share a large one: it goes with its answers.
    return lock(request, () => read().finally(() => readings.of.delete(key)))
  }
}

const answer = <Answer>({ memory, inTurn }: Reading, use: Use<Answer>): Promise<Answer> =>
  inTurn(() => use(memory))

async function readColumns(
  people: People,
  versions: AsyncIterable<Block> | Iterable<Block>,
): Promise<Reading> {
  const memory = createEmpty(people)
  await memory.open.apply(versions)
  return { memory, inTurn: createTurns() }
}

export async function* streamColumns(source: Source, question: RowsQuestion): AsyncGenerator<Memory> {
  try {
    const people = await readPeople(source)
    for await (const block of source.streamVersions({ ...toNeeds(people, question), rows: Infinity }))
      yield (await readColumns(people, [block])).memory
  } catch (error) {
    refuse(error)
  }
}

function refuse(error: unknown): never {
  throw toOwnError(error, 'versions')
}

async function readPeople(source: Source): Promise<People> {
  const people = new People()
  await people.apply(source.readPeople())
  return people
}

/** Whether a scope or its reader asks for some people only. */
const isOfPeople = ({ scope, seenIds }: InScope): boolean =>
  seenIds !== null ||
  [scope.user, scope.manager, scope.team, scope.attribute].some(({ length }) => length > 0)

function toNeeds(people: People, question: RowsQuestion): Omit<Needs, 'rows'> {
  const { moments, ofWholeAssignments = false, since = Infinity } = question
  const instants = moments.map(({ scope }) => scope.asOf)
  const challenges = moments.every(({ scope }) => scope.challenge.length > 0)
    ? [...new Set(moments.flatMap(({ scope }) => scope.challenge))]
    : undefined
  const users = moments.every(isOfPeople) ? findUsers(people, moments) : undefined
  return {
    first: Math.floor(Math.min(since, ...instants) / minuteMs) * minuteMs,
    last: Math.ceil(Math.max(...instants) / minuteMs) * minuteMs,
    ofWholeAssignments,
    users: users && users.length <= mostIds ? users : undefined,
    challenges: challenges && challenges.length <= mostIds ? challenges : undefined,
  }
}

/** The people whom any of the moments asks for. */
function findUsers(people: People, moments: readonly InScope[]): string[] {
  const { users } = people
  // Ids may have assignments and no version of a person.
  for (const { scope, under, seenIds } of moments)
    for (const id of [...scope.user, ...under, ...(seenIds ?? [])]) users.of(id)
  const fitting = moments.map((each) => findFitting(createEmpty(people), each, whereOf(each.scope)).user_id)
  return users.names.filter((_, number) => fitting.some((fits) => fits[number] === 1))
}

/** One request at a time. Its readings wait for each other. Other requests wait for so long, then they are refused. */
function createLock() {
  let last: Promise<unknown> = Promise.resolve()
  const holders = new Map<object, { begun: Promise<void>; end: () => void; inTurn: Turns; waiting: number }>()

  function enter(request: object) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const holder = { begun: withTimeout(last), end: resolve, inTurn: createTurns(), waiting: 0 }
    last = Promise.all([last, promise])
    holders.set(request, holder)
    return holder
  }

  return async function withLock<Result>(request: object, work: () => Promise<Result>): Promise<Result> {
    const holder = holders.get(request) ?? enter(request)
    holder.waiting++
    try {
      await holder.begun
      return await holder.inTurn(work)
    } finally {
      if (--holder.waiting === 0) {
        holders.delete(request)
        holder.end()
      }
    }
  }
}

async function withTimeout(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new DataUnavailableError('Another question is reading many rows', { retryAfterMs: 5_000 })
    timer = setTimeout(() => reject(error), mostWaitMs)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
