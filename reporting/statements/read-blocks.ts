/** The blocks of an answer, and what pages show around them. How far the data are complete is read first. */
import { toInstantOrNull } from '../../schemas/instant.ts'
import { columnsFor } from './columns-for.ts'
import { tally } from '../columns/tally.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { readCompleteThrough } from './standing.ts'
import { select } from '../read/statement.ts'
import { readArrived, readFailed, readLastHour, values } from './page.ts'
import { names } from './people.ts'
import { namesSchema, type Blocks, type Detail, type PageBlocks } from '../metrics/blocks.ts'
import type { Reader } from '../read/reader.ts'

const noPage: PageBlocks = {
  names: [],
  freshness: {
    last_event_at: null,
    has_challenge_events: false,
    last_hour: 0,
    failed_today: 0,
    unrecognised_today: 0,
    sample: false,
  },
}

export async function readBlocks(reader: Reader, scope: Scope, detail: Detail): Promise<Blocks> {
  const [numbers, around] = await Promise.all([
    readComplete(reader, scope, detail),
    detail === 'overview' ? selectPage(reader, scope) : noPage,
  ])
  return { ...numbers, ...around }
}

async function readComplete(reader: Reader, scope: Scope, detail: Detail) {
  const complete_through = await readCompleteThrough(reader)
  return {
    ...(await columnsFor(reader, scope, (memory, inScope) => tally(memory, inScope, detail))),
    complete_through,
  }
}

/** The parts of a page around numbers that come from elsewhere. */
export async function readPageFrame(
  reader: Reader,
  scope: Scope,
): Promise<PageBlocks & Pick<Blocks, 'complete_through'>> {
  const [page, complete_through] = await Promise.all([selectPage(reader, scope), readCompleteThrough(reader)])
  return { ...page, complete_through }
}

async function selectPage(reader: Reader, scope: Scope): Promise<PageBlocks> {
  const { attributes = [] } = reader
  const [latest, offered, ofEvents, ofFailed, lastHour] = await Promise.all([
    select(reader, names, {}),
    attributes.length === 0 ? [] : select(reader, values, { attributes }),
    readArrived(reader, scope),
    readFailed(reader, scope),
    readLastHour(reader, scope),
  ])
  return {
    names: namesSchema.parse([...latest, ...offered]),
    freshness: {
      last_event_at: toInstantOrNull(Math.max(ofEvents.newest, ofFailed.newest)),
      has_challenge_events: ofEvents.has_challenge_events === 1,
      last_hour: lastHour,
      failed_today: ofFailed.today,
      unrecognised_today: ofEvents.unrecognised_today,
      sample: ofFailed.is_sample === 1,
    },
  }
}

// For one who asks, or shared with others who ask for the same now.

export type BlockRequest = {
  scope: Scope
  detail: Detail
  /** For a scope that lies a fixed time before now: how much, ms. Left out: `scope.asOf` is a moment of its own, or now. */
  beforeNowMs?: number
}

/** `scope` is that of the answer: its `asOf` may be a moment earlier than that of the request. */
type BlockReading = { blocks: Blocks; scope: Scope }

export type BlockReader = (request: BlockRequest) => Promise<BlockReading>

export function createBlockReader(reader: Reader): BlockReader {
  return async ({ scope, detail }) => ({ blocks: await readBlocks(reader, scope, detail), scope })
}

type HoldOptions = {
  /** Who asks, asked at each question: an answer is never shared with another audience. Default: everybody sees the same. */
  audienceKey?: () => string
  /** Any clock that never goes back, ms. Default: that of the process. */
  clock?: () => number
}

/** No shared answer is older, counted from its question. */
const mostAgeMs = 10_000
const mostShared = 64

/** Shares a reading with equal questions during it, and for four times as long after it: reads take a fifth of the time at most. */
export function holdBlocks(
  read: BlockReader,
  { audienceKey = () => '', clock = () => performance.now() }: HoldOptions = {},
): BlockReader {
  const shared = new Map<string, { until: number; reading: Promise<BlockReading> }>()
  return (request) => {
    const key = toKey(request, audienceKey())
    const askedAt = clock()
    for (const [each, { until }] of shared) if (askedAt > until) shared.delete(each)
    const last = shared.get(key)
    if (last !== undefined) return last.reading
    const entry = { until: askedAt + mostAgeMs, reading: read(request) }
    shared.set(key, entry)
    for (const oldest of [...shared.keys()].slice(0, -mostShared)) shared.delete(oldest)
    entry.reading.then(
      () => (entry.until = askedAt + Math.min(5 * (clock() - askedAt), mostAgeMs)),
      () => (entry.until = -Infinity),
    )
    return entry.reading
  }
}

/** Everything that an answer depends on, except for the moment of a scope that goes with the clock. */
function toKey({ scope, detail, beforeNowMs }: BlockRequest, audience: string): string {
  const { asOf, now, ...rest } = scope
  const moment = asOf === now ? 'now' : beforeNowMs === undefined ? { asOf } : { beforeNowMs }
  const filters = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([audience, moment, detail, filters])
}
