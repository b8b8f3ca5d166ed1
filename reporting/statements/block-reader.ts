/** Reads the blocks of an answer: for one who asks, or shared with others who ask for the same now. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { createHeldAnswers, type HeldAnswersOptions } from '../metrics/held-answers.ts'
import type { Blocks, Detail } from '../metrics/blocks.ts'
import { readBlocks } from './read-blocks.ts'
import type { Reader } from '../read/reader.ts'

export type BlockRequest = {
  scope: Scope
  detail: Detail
  /** For a scope that lies a fixed time before now: how much, ms. Left out: `scope.asOf` is a moment of its own, or now. */
  beforeNowMs?: number
}

/** `scope` is that of the answer: its `asOf` may be a moment earlier than that of the request. */
export type BlockReading = { blocks: Blocks; scope: Scope }

export type BlockReader = (request: BlockRequest) => Promise<BlockReading>

export function createBlockReader(reader: Reader): BlockReader {
  return async ({ scope, detail }) => {
    const blocks = await readBlocks(reader, scope, detail)
    return { blocks, scope }
  }
}

export type HoldOptions = HeldAnswersOptions & {
  /** Who asks, asked at each question: an answer is never shared with somebody else. Default: everybody sees the same. */
  audienceKey?: () => string
}

/** The same, with answers shared while they are fresh, among readers who may see the same. */
export function holdBlocks(read: BlockReader, { audienceKey, ...options }: HoldOptions = {}): BlockReader {
  const answers = createHeldAnswers<BlockReading>(options)
  return (request) => answers.get(toKey(request, audienceKey?.() ?? ''), () => read(request))
}

/** Everything that an answer depends on, except for the moment of a scope that goes with the clock. */
function toKey({ scope, detail, beforeNowMs }: BlockRequest, audience: string): string {
  const { asOf, now, ...rest } = scope
  const moment = asOf === now ? 'now' : beforeNowMs === undefined ? { asOf } : { beforeNowMs }
  const filters = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([audience, moment, detail, filters])
}
