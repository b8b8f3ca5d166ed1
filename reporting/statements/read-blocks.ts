/** The blocks of an answer: for one who asks, or shared with others who ask for the same now. */
import { columnsFor } from './columns-for.ts'
import { tally } from '../columns/tally.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { readCompleteThrough } from './standing.ts'
import type { CompleteBlocks, Detail } from '../metrics/blocks.ts'
import type { Reader } from '../read/reader.ts'

/** How far the data are complete is read first. */
export async function readBlocks(reader: Reader, scope: Scope, detail: Detail): Promise<CompleteBlocks> {
  const complete_through = await readCompleteThrough(reader)
  const blocks = await columnsFor(reader, scope, (memory, inScope) => tally(memory, inScope, detail))
  return { ...blocks, complete_through }
}

export type BlockRequest = {
  scope: Scope
  detail: Detail
  /** For a scope that lies a fixed time before now: how much, ms. Left out: `scope.asOf` is a moment of its own, or now. */
  beforeNowMs?: number
}

/** `scope` is that of the answer: its `asOf` may be a moment earlier than that of the request. */
type BlockReading = { blocks: CompleteBlocks; scope: Scope }

export type BlockReader = (request: BlockRequest) => Promise<BlockReading>

export function createBlockReader(reader: Reader): BlockReader {
  return async ({ scope, detail }) => ({ blocks: await readBlocks(reader, scope, detail), scope })
}

/** No shared answer is older, counted from its question. */
const mostAgeMs = 10_000
const mostShared = 64

/**
 * Shares a reading with equal questions during it, and for four times as long after it: reads take a fifth of the time at most.
 * `audienceKey`: who asks, asked at each question. An answer is never shared with another audience. `clock`: any that never goes back, ms.
 */
export function holdBlocks(
  read: BlockReader,
  { audienceKey = (): string => '', clock = () => performance.now() } = {},
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
