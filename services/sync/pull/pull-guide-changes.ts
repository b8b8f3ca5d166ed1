/**
 * Guide assignments created or changed since the last run, with an overlap: clocks differ, and a platform may show a
 * change later than its timestamp. Not every account has this list; the sweep then does all the work.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { eachPage } from '../../platform/each-page.ts'
import type { PlatformClient } from '../../platform/platform-client.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { readCount, type Job, type JobContext, type JobEnd } from '../../jobs/job.ts'
import { storeWhatCanBe } from '../../consumer/set-aside/store-what-can-be.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { toGuideAssignmentRow } from './guide-rows.ts'

export type PullGuideChangesDeps = {
  client: ClickHouseClient
  platform: PlatformClient
  schedule: string
  /** Default 15 minutes. */
  overlapMs?: number
}

const defaultOverlapMs = 15 * 60_000
/** At the first run and after a long break: the sweep brings older changes. */
const longestRangeMs = 7 * 86_400_000

export function createPullGuideChangesJob(deps: PullGuideChangesDeps): Job {
  const { client, platform, schedule, overlapMs = defaultOverlapMs } = deps

  async function run(context: JobContext): Promise<JobEnd> {
    const { checkpoint, signal, advance } = context
    const range = toRange(context, overlapMs)
    const read = (page: number | 'all') => platform.changedGuideAssignments(range, { page, signal })
    for await (const answer of eachPage(read, { from: readCount(checkpoint, 'page') })) {
      const { items, answeredAtMs, skipped, page } = answer
      const rows = items.map(({ assignment }) => toGuideAssignmentRow(assignment, answeredAtMs))
      const left = await storeWhatCanBe(rows, (some) => insertRows(client, 'guide_assignment_rows', some))
      await advance({
        done: items.length - left,
        skipped: skipped.length + left,
        checkpoint: { ...range, page: page + 1 },
      })
    }
    return { checkpoint: { throughMs: context.startedAtMs } }
  }

  return {
    name: 'guide-assignment-changes',
    title: 'The pull of changed guide assignments',
    schedule,
    async run(context) {
      try {
        return await run(context)
      } catch (error) {
        if (!(error instanceof PlatformError) || error.code !== 'NOT_OFFERED') throw error
        return { note: `${error.message} They come with the full sweep only.` }
      }
    },
  }
}

/** The same in every attempt, so that pages fit together. */
function toRange(
  { checkpoint, previous, startedAtMs }: JobContext,
  overlapMs: number,
): { fromMs: number; toMs: number } {
  const begun = { fromMs: readCount(checkpoint, 'fromMs'), toMs: readCount(checkpoint, 'toMs') }
  if (begun.toMs > 0) return begun
  const through = readCount(previous?.checkpoint, 'throughMs')
  return {
    fromMs: Math.max(startedAtMs - longestRangeMs, through - overlapMs),
    toMs: startedAtMs + overlapMs,
  }
}
