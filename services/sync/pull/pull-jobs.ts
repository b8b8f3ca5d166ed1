/**
 * The pulls of an installation: what only the platform knows, leavers and guides. A pull reads a list page by page and stores each
 * page as an observation. What is missing from a moving list is unseen, not deleted. Not every account has every list.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { storeWhatCanBe, toRefusedNote } from '../../consumer/set-aside/store-in-parts.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { type Checkpoint, type Job, type JobContext, readCount } from '../../jobs/job.ts'
import type { GuideAssignment, ListOptions, Pages } from '../../platform/platform-client.ts'
import type { PlatformClient } from '../../platform/open-platform-client.ts'
import { mostFailuresInARow, PlatformError } from '../../platform/platform-error.ts'
import { select } from '../statements.ts'
import { storeGuides, toGuideAssignmentRow } from './guide-rows.ts'
import { storeUsers } from './user-rows.ts'

export type PullSchedules = { users: string; guides: string; guideChanges: string; guideAssignments: string }

/** Few calls: what is new should be seen soon. */
const often = { guides: '7 * * * *', guideChanges: '*/15 * * * *' }

/** `complete`: when the long lists are read to their end, or `off` for all pulls. */
export function toPullSchedules(complete: string): PullSchedules {
  const { guides, guideChanges } = complete === 'off' ? { guides: complete, guideChanges: complete } : often
  return { users: complete, guides, guideChanges, guideAssignments: complete }
}

export type PullDeps = {
  client: ClickHouseClient
  /** The consumer's own cache, so that look-ups are shared. */
  people: People
  platform: PlatformClient
  schedules: PullSchedules
  /** Users or assignments on a page. Default: the most that the platform gives. */
  pageSize?: number | undefined
}

/** Returns how many items the store refuses. */
type StoreItems<Item> = (items: readonly Item[], answeredAtMs: number) => Promise<number>

/** Clocks differ, and a platform may show a change later than its timestamp. */
const overlapMs = 15 * 60_000
/** At the first run and after a long break: the sweep brings older changes. */
const longestRangeMs = 7 * 86_400_000

export function createPullJobs({ client, people, platform, schedules, pageSize }: PullDeps): Job[] {
  const guides: StoreItems<Parameters<typeof storeGuides>[1][number]> = (items, answeredAtMs) =>
    storeGuides(client, items, answeredAtMs)
  const assignments: StoreItems<GuideAssignment> = (items, answeredAtMs) => {
    const rows = items.map((item) => toGuideAssignmentRow(item, answeredAtMs))
    return storeWhatCanBe(rows, (some) => insertRows(client, 'guide_assignment_rows', some))
  }
  /** Of the long lists. */
  const toOptions = ({ priority, signal }: JobContext): ListOptions => {
    return { priority, signal, ...(pageSize !== undefined && { size: pageSize }) }
  }

  /** Read in every attempt: few calls, and new guides are not missed. Defaults to the guides that were ordered here. */
  async function readGuideIds(signal: AbortSignal): Promise<string[]> {
    const ids = new Set<string>()
    try {
      for await (const { items, answeredAtMs } of platform.guides({ signal })) {
        await guides(items, answeredAtMs)
        for (const { id } of items) ids.add(id)
      }
    } catch (error) {
      if (!isNotOffered(error)) throw error
      for (const { id } of await select<{ id: string }>(client, 'ordered-guides')) ids.add(id)
    }
    return [...ids].sort()
  }

  return [
    {
      name: 'users',
      title: 'The pull of users',
      schedule: schedules.users,
      run: async (context) => {
        const from = readCount(context.checkpoint, 'page')
        const pages = platform.users({ ...toOptions(context), from })
        return toRefusedNote(
          await storePages(pages, (...page) => storeUsers(client, people, ...page), context),
        )
      },
    },
    {
      name: 'guides',
      title: 'The pull of guides',
      schedule: schedules.guides,
      run: whereOffered('Guides are given by their id.', async (context) => {
        const { checkpoint, signal } = context
        const pages = platform.guides({ signal, from: readCount(checkpoint, 'page') })
        return toRefusedNote(await storePages(pages, guides, context))
      }),
    },
    {
      // Guide assignments that were created or changed since the last run, with an overlap.
      name: 'guide-assignment-changes',
      title: 'The pull of changed guide assignments',
      schedule: schedules.guideChanges,
      run: whereOffered('They come with the full sweep only.', async (context) => {
        const range = toRange(context)
        const { checkpoint, signal, startedAtMs } = context
        const pages = platform.changedGuideAssignments(range, { signal, from: readCount(checkpoint, 'page') })
        await storePages(pages, assignments, context, (page) => ({ ...range, page }))
        return { checkpoint: { throughMs: startedAtMs } }
      }),
    },
    {
      // All guide assignments, guide by guide in the order of their ids, spread over time.
      name: 'guide-assignments',
      title: 'The full pull of guide assignments',
      schedule: schedules.guideAssignments,
      run: whereOffered('', async (context) => {
        const guideIds = await readGuideIds(context.signal)
        const gone = await sweep(guideIds, context, (guideId, from, toCheckpoint) => {
          const pages = platform.guideAssignments(guideId, { ...toOptions(context), from })
          return storePages(pages, assignments, context, toCheckpoint)
        })
        const note = `${gone} of ${guideIds.length} guides were gone when their assignments were asked for, or the platform does not list them.`
        return { checkpoint: { sweptFromMs: context.startedAtMs }, ...(gone > 0 && { note }) }
      }),
    },
  ]
}

type ToCheckpoint = (nextPage: number) => Checkpoint

/** Stores a list page by page. Returns how many items the store refuses. */
async function storePages<Item>(
  pages: Pages<Item>,
  store: StoreItems<Item>,
  { advance }: JobContext,
  toCheckpoint: ToCheckpoint = (page) => ({ page }),
): Promise<number> {
  let refused = 0
  for await (const { items, skipped, answeredAtMs, page } of pages) {
    const refusals = await store(items, answeredAtMs)
    refused += refusals
    const done = items.length - refusals
    await advance({ done, skipped: skipped.length + refusals, checkpoint: toCheckpoint(page + 1) })
  }
  return refused
}

/**
 * Reads guide by guide, and returns how many are gone. If the list of one cannot be read, the others are read all the same. Then the
 * attempt fails, and the next one continues with the first that failed.
 */
async function sweep(
  guideIds: readonly string[],
  { checkpoint, advance }: JobContext,
  readGuide: (guideId: string, from: number, toCheckpoint: ToCheckpoint) => Promise<unknown>,
): Promise<number> {
  const at = typeof checkpoint?.['guideId'] === 'string' ? checkpoint['guideId'] : ''
  const failed: string[] = []
  let [gone, failuresInARow] = [0, 0]
  let failure: PlatformError | undefined
  for (const guideId of guideIds.filter((id) => id >= at)) {
    const toCheckpoint = (page: number) =>
      failed[0] === undefined ? { guideId, page } : { guideId: failed[0] }
    try {
      await readGuide(guideId, guideId === at ? readCount(checkpoint, 'page') : 0, toCheckpoint)
      failuresInARow = 0
    } catch (error) {
      if (!(error instanceof PlatformError) || !error.isAboutOne) throw error
      // Removed since the list was read. Its assignments are unseen from now on.
      if (error.code === 'NOT_FOUND') gone++
      else {
        failed.push(guideId)
        failure = error
        await advance({ done: 0, checkpoint: toCheckpoint(0) })
        if (++failuresInARow === mostFailuresInARow) throw error
      }
    }
  }
  if (failure === undefined) return gone
  const message = `The assignments of ${failed.length} of ${guideIds.length} guides could not be read. ${failure.message}`
  throw new PlatformError(failure.code, message, { cause: failure })
}

/** Ends well where the platform does not have the list. `instead`: what the owner should know then. */
const whereOffered =
  (instead: string, run: Job['run']): Job['run'] =>
  (context) =>
    run(context).catch((error: unknown) => {
      if (!isNotOffered(error)) throw error
      return { note: `${error.message} ${instead}`.trim() }
    })

function isNotOffered(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.code === 'NOT_OFFERED'
}

/** The same in every attempt, so that pages fit together. */
function toRange({ checkpoint, previous, startedAtMs }: JobContext): { fromMs: number; toMs: number } {
  const begun = { fromMs: readCount(checkpoint, 'fromMs'), toMs: readCount(checkpoint, 'toMs') }
  if (begun.toMs > 0) return begun
  const fromMs = Math.max(startedAtMs - longestRangeMs, readCount(previous, 'throughMs') - overlapMs)
  return { fromMs, toMs: startedAtMs + overlapMs }
}
