/**
 * The numbers of now, from counts that are kept. The engine never changes a part of a table: it writes new ones, and replaces some by
 * one that holds the same. So the counts of a part hold for as long as it is there, those of a table are the sum of its parts', and
 * after new events only new parts are read. Nothing is stored: a process that starts counts once.
 */
import { totalmem } from 'node:os'
import { z } from 'zod'
import { toLocalDate, toStartOfDay } from '../../../schemas/metrics/calendar.ts'
import { endOfTimeMs } from '../../../schemas/metrics/state-bits.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { selectLargeRows, selectRows, toDateTime } from '../../queries/sql.ts'
import { toRankings, toRows, type Detail, type NumberBlocks, type Rankings } from '../blocks.ts'
import {
  addCounts,
  countRows,
  never,
  noCounts,
  partRowsSchema,
  toPartCounts,
  type Counts,
  type PartCounts,
} from './counts.ts'
import { toCountedBlocks, type CountedBlocks } from './to-counted-blocks.ts'
import type { Reader } from '../../read/reader.ts'
import { select } from '../../read/statement.ts'
import { rankings } from '../../statements/blocks.ts'

export type CountedParts = {
  /**
   * `undefined`: ask the store itself. Only the present is counted, without filters, in the zones of the options, for those who see
   * everybody; and not while many rows are new, or where parts go faster than they can be read.
   */
  read(scope: Scope, detail: Detail): Promise<NumberBlocks | undefined>
}

export type CountedPartsOptions = {
  /** tz database. Other zones are not counted. */
  timeZone: string
  dueZone: string
  /** Stores with more rows of present states are not counted. Default 30 million, which takes about 600 MB; less on small machines. */
  mostRows?: number
  /** More new rows than this are counted while the store answers itself. Default 500,000. */
  mostRowsAtOnce?: number
  /** More rows than this are added up by the engine. Default 5,000. */
  mostRowsSingly?: number
  /** Any clock that never goes back, ms. Default: that of the process. */
  clock?: () => number
}

type HeldPart = {
  hash: string
  /** Its counts hold for moments since the last change that they say, until a row of it begins or a completion comes; epoch ms. */
  from: number
  until: number
  /** Rows of it have yet to begin: what they replace still holds. */
  hasLaterRows: boolean
  /** Not kept of a part with most of the rows: when it goes, all is counted again. */
  counts: Counts | undefined
}

/** `change`: what the total still lacks of the parts. Large lists are copied once for all of it. */
type Held = { key: string; parts: Map<string, HeldPart>; total: Counts; change: Counts }

const noRankings: Rankings = { challenges: [], team_sets: [], due_weeks: [] }

/** Replicas that answer in turn have other parts each time. Counting them takes a twentieth of the time at most. */
const restFactor = 20

/** A user of the server who may not read `system.parts` may be given the right later. */
const deniedMs = 60_000

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '497'
}

/** Counting takes up to 90 bytes a row, and a third of that from then on: at most a quarter of the memory. */
export function toMostRows(memoryBytes: number): number {
  return Math.min(30_000_000, Math.floor(memoryBytes / 4 / 90))
}

/** A part may be merged away between the list and the reading. */
const attempts = 3

export function createCountedParts(reader: Reader, options: CountedPartsOptions): CountedParts {
  const {
    mostRows = toMostRows(Math.min(totalmem(), process.constrainedMemory() || Infinity)),
    mostRowsAtOnce = 500_000,
    mostRowsSingly = 5_000,
    clock = () => performance.now(),
  } = options
  const store = createPartReader(reader, mostRowsSingly)
  let held: Held | undefined
  /** Readings change what is held, so they go one at a time. */
  let turn: Promise<unknown> = Promise.resolve()
  let isCountingMany = false
  let restsUntil = -Infinity
  let deniedUntil = -Infinity

  async function readOnce(scope: Scope, detail: Detail): Promise<NumberBlocks | 'again' | undefined> {
    const list = await store.list(scope)
    const rows = countRowsOf(list.open)
    // An empty list: nothing is stored, or this reader may not see parts.
    if (rows === 0 || rows > mostRows) {
      held = undefined
      return undefined
    }
    if (held?.key !== list.leavers || !forgetGone(held, list.open, scope.asOf)) {
      held = { key: list.leavers, parts: new Map(), total: noCounts(), change: noCounts() }
    }
    const own = held
    const missing = list.open.filter(({ name }) => !own.parts.has(name))
    if (countRowsOf(missing) > mostRowsAtOnce) {
      if (clock() >= restsUntil) countMany(own, missing, rows, scope)
      return undefined
    }
    if (!(await count(store, own, missing, rows, scope))) return 'again'
    return answer(store, own, list, scope, detail)
  }

  /** In the background: the next reading begins with what has been counted. */
  function countMany(own: Held, missing: readonly Part[], allRows: number, scope: Scope): void {
    isCountingMany = true
    const startedAt = clock()
    void count(store, own, missing, allRows, scope)
      .catch(() => (held = undefined))
      .finally(() => {
        isCountingMany = false
        restsUntil = clock() + restFactor * (clock() - startedAt)
      })
  }

  async function readInTurn(scope: Scope, detail: Detail): Promise<NumberBlocks | undefined> {
    for (let attempt = 0; attempt < attempts && !isCountingMany && clock() >= deniedUntil; attempt++) {
      try {
        const blocks = await readOnce(scope, detail)
        if (blocks !== 'again') return blocks
      } catch (error) {
        held = undefined
        if (!isDenied(error)) throw error
        deniedUntil = clock() + deniedMs
      }
    }
    return undefined
  }

  return {
    async read(scope, detail) {
      if (reader.audience().people !== 'all' || !isCountable(scope, options)) return undefined
      const mine = turn.then(() => readInTurn(scope, detail))
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}

/** `false`: one of the parts has gone. */
async function count(
  store: PartReader,
  own: Held,
  missing: readonly Part[],
  allRows: number,
  scope: Scope,
): Promise<boolean> {
  const read = await store.count(missing, scope, 'open_versions')
  if (!missing.every(({ name }) => read.has(name))) return false
  // With the day, due dates pass.
  const midnight = toStartOfDay(scope.dueZone, toLocalDate(scope.dueZone, scope.asOf))
  // The largest last: what is copied of the others is little.
  for (const { name, hash, rows } of missing.toSorted((a, b) => a.rows - b.rows)) {
    const { latest, begins, completes, counts } = read.get(name)!
    addCounts(own.change, counts, 1)
    own.parts.set(name, {
      hash,
      from: Math.max(latest, midnight),
      until: Math.min(begins, completes),
      hasLaterRows: begins < never,
      counts: rows > allRows / 2 ? undefined : counts,
    })
  }
  return true
}

/** 'again': a part has gone meanwhile. */
async function answer(
  store: PartReader,
  own: Held,
  list: PartList,
  scope: Scope,
  detail: Detail,
): Promise<NumberBlocks | 'again'> {
  // The states before those that have yet to begin are closed already.
  const closed = [...own.parts.values()].some(({ hasLaterRows }) => hasLaterRows) ? list.closed : []
  const isOverview = detail === 'overview'
  const [earlier, rankings] = await Promise.all([
    store.count(closed, scope, 'closed_versions'),
    isOverview ? store.rank(list.open, closed, scope) : noRankings,
  ])
  // Parts that are there before and after were there meanwhile.
  if (
    (closed.length > 0 || isOverview) &&
    !(await store.areThere([...closed, ...(isOverview ? list.open : [])], scope))
  )
    return 'again'
  addCounts(own.total, own.change, 1)
  own.change = noCounts()
  for (const { counts } of earlier.values()) addCounts(own.total, counts, 1)
  const blocks: CountedBlocks = toCountedBlocks(own.total, scope)
  for (const { counts } of earlier.values()) addCounts(own.total, counts, -1)
  return { ...blocks, ...rankings }
}

/** The days of the engine end in 2149. */
const lastMoment = Date.UTC(2100, 0, 1)

/** Filters, and due dates that end at an instant, are left to the store. */
function isCountable(scope: Scope, { timeZone, dueZone }: CountedPartsOptions): boolean {
  const { asOf, now, dueEnd, period: _period, dueSoonDays: _days, trendFrom: _from, trendTo: _to, ...rest } = scope
  const { timeZone: ownZone, dueZone: ownDueZone, includeLeavers, managerDepth: _depth, ...filters } = rest
  return (
    asOf === now &&
    asOf < lastMoment &&
    dueEnd === 'end_of_day' &&
    ownZone === timeZone &&
    ownDueZone === dueZone &&
    !includeLeavers &&
    Object.values(filters).every((filter) => filter === undefined || (Array.isArray(filter) && filter.length === 0))
  )
}

/** Takes away the counts of parts that are gone or do not hold at this moment. `false`: they are not known any more. */
function forgetGone({ parts, change }: Held, open: readonly Part[], asOf: number): boolean {
  const hashes = new Map(open.map(({ name, hash }) => [name, hash]))
  const gone = [...parts].filter(
    ([name, { hash, from, until }]) => hashes.get(name) !== hash || asOf < from || asOf >= until,
  )
  if (gone.some(([, { counts }]) => counts === undefined)) return false
  for (const [name, { counts = noCounts() }] of gone) {
    addCounts(change, counts, -1)
    parts.delete(name)
  }
  return true
}

const listSchema = z.array(
  z.object({
    table: z.enum(['open_versions', 'closed_versions', 'leavers']),
    name: z.string(),
    /** Of the part's content. */
    hash: z.string(),
    rows: z.number(),
  }),
)
type Part = z.infer<typeof listSchema>[number]

/** `leavers`: changes when other people have left. */
type PartList = { open: Part[]; closed: Part[]; leavers: string }

type PartReader = ReturnType<typeof createPartReader>

function createPartReader(reader: Reader, mostRowsSingly: number) {
  const flags = { without_leavers: true }

  async function list(scope: Scope, asked = flags): Promise<PartList> {
    const listed = listSchema.parse(await selectRows(reader, 'part-list', toParams(scope), asked))
    const of = (name: Part['table']) => listed.filter(({ table }) => table === name)
    return { open: of('open_versions'), closed: of('closed_versions'), leavers: JSON.stringify(of('leavers')) }
  }

  return {
    list,

    /** By the names of those that are there and have rows. */
    async count(parts: readonly Part[], scope: Scope, table: Part['table']): Promise<Map<string, PartCounts>> {
      if (parts.length === 0) return new Map()
      const params = { ...toParams(scope), end_of_time: endOfTimeMs, parts: toNames(parts) }
      const given = { ...flags, closed: table === 'closed_versions' }
      if (table === 'closed_versions' || countRowsOf(parts) <= mostRowsSingly) {
        const limit = mostRowsSingly + 1
        const rows = partRowsSchema.parse(await selectRows(reader, 'part-rows', { ...params, limit }, given))
        // Of closed versions only those are wanted that still hold.
        if (rows.length < limit) return countRows(rows, scope.asOf)
      }
      return toPartCounts(await selectLargeRows(reader, 'part-counts', params, given))
    },

    async rank(open: readonly Part[], closed: readonly Part[], scope: Scope): Promise<Rankings> {
      const args = { scope, parts: toNames(open), closedParts: toNames(closed) }
      return toRankings(toRows(await select(reader, rankings, args)))
    },

    async areThere(parts: readonly Part[], scope: Scope): Promise<boolean> {
      const { open, closed } = await list(scope, { without_leavers: false })
      const names = new Set([...open, ...closed].map(({ table, name }) => `${table} ${name}`))
      return parts.every(({ table, name }) => names.has(`${table} ${name}`))
    },
  }
}

function countRowsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0)
}

function toNames(parts: readonly Pick<Part, 'name'>[]): string[] {
  return parts.map(({ name }) => name)
}

function toParams({ asOf, now, timeZone, dueZone }: Scope): Record<string, unknown> {
  return { as_of: toDateTime(asOf), now: toDateTime(now), time_zone: timeZone, due_zone: dueZone }
}
