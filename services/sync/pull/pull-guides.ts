/**
 * The platform's lists of guides: all of them, who has which, and what has changed of that. Not every account has every list.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { storeWhatCanBe, toRefusedNote } from '../../consumer/set-aside/store-in-parts.ts'
import { readCount, type Checkpoint, type Job, type JobContext } from '../../jobs/job.ts'
import { eachPage } from '../../platform/each-page.ts'
import type { GuideAssignment, Page, PlatformClient } from '../../platform/platform-client.ts'
import { mostFailuresInARow, PlatformError } from '../../platform/platform-error.ts'
import { select } from '../statements.ts'
import { storeGuides, toGuideAssignmentRow } from './guide-rows.ts'

export type PullGuidesDeps = {
  client: ClickHouseClient
  platform: PlatformClient
  schedules: { guides: string; guideChanges: string; guideAssignments: string }
  /** Users or assignments on a page. Default: the most that the platform gives. */
  pageSize?: number | undefined
}

/** Clocks differ, and a platform may show a change later than its timestamp. */
const overlapMs = 15 * 60_000
/** At the first run and after a long break: the sweep brings older changes. */
const longestRangeMs = 7 * 86_400_000

export function createPullGuidesJobs({ client, platform, schedules, pageSize }: PullGuidesDeps): Job[] {
  /** All guides: few pages. */
  const guides: Job = {
    name: 'guides',
    title: 'The pull of guides',
    schedule: schedules.guides,
    async run(context) {
      const { checkpoint, signal } = context
      const read = (page: number) => platform.guides({ page, signal })
      const store = (items: Guides, answeredAtMs: number) => storeGuides(client, items, answeredAtMs)
      return toRefusedNote(await storePages(read, readCount(checkpoint, 'page'), store, context))
    },
  }

  /**
   * All guide assignments, guide by guide in the order of their ids, spread over time. Where the platform does not list its guides,
   * those that were ordered here.
   */
  const assignments: Job = {
    name: 'guide-assignments',
    title: 'The full pull of guide assignments',
    schedule: schedules.guideAssignments,
    async run(context) {
      const { signal, priority, startedAtMs } = context
      const guideIds = await readGuideIds(signal)
      const size = pageSize === undefined ? {} : { size: pageSize }
      const goneGuides = await sweep(guideIds, context, (guideId, from, toCheckpoint) => {
        const read = (page: number) => platform.guideAssignments(guideId, { page, priority, signal, ...size })
        return storePages(read, from, storeAssignments, context, toCheckpoint)
      })
      const note = `${goneGuides} of ${guideIds.length} guides were gone when their assignments were asked for, or the platform does not list them.`
      return { checkpoint: { sweptFromMs: startedAtMs }, ...(goneGuides > 0 && { note }) }
    },
  }

  /** Guide assignments that were created or changed since the last run, with an overlap. */
  const changes: Job = {
    name: 'guide-assignment-changes',
    title: 'The pull of changed guide assignments',
    schedule: schedules.guideChanges,
    async run(context) {
      const range = toRange(context)
      const read = (page: number) => platform.changedGuideAssignments(range, { page, signal: context.signal })
      const from = readCount(context.checkpoint, 'page')
      await storePages(read, from, storeAssignments, context, (page) => ({ ...range, page }))
      return { checkpoint: { throughMs: context.startedAtMs } }
    },
  }

  /** Read in every attempt: few calls, and new guides are not missed. */
  async function readGuideIds(signal: AbortSignal): Promise<string[]> {
    const ids = new Set<string>()
    try {
      for await (const { items, answeredAtMs } of eachPage((page) => platform.guides({ page, signal }))) {
        await storeGuides(client, items, answeredAtMs)
        for (const { id } of items) ids.add(id)
      }
    } catch (error) {
      if (!isNotOffered(error)) throw error
      for (const { id } of await select<{ id: string }>(client, 'ordered-guides')) ids.add(id)
    }
    return [...ids].sort()
  }

  function storeAssignments(items: readonly GuideAssignment[], answeredAtMs: number): Promise<number> {
    const rows = items.map((item) => toGuideAssignmentRow(item, answeredAtMs))
    return storeWhatCanBe(rows, (some) => insertRows(client, 'guide_assignment_rows', some))
  }

  return [
    whereOffered(guides, 'Guides are given by their id.'),
    whereOffered(changes, 'They come with the full sweep only.'),
    whereOffered(assignments, ''),
  ]
}

type Guides = Parameters<typeof storeGuides>[1]

type ToCheckpoint = (nextPage: number) => Checkpoint

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

/** Stores a list page by page. `store` returns how many items the store refuses, and so does this. */
async function storePages<Item>(
  read: (page: number) => Promise<Page<Item>>,
  from: number,
  store: (items: readonly Item[], answeredAtMs: number) => Promise<number>,
  { advance }: JobContext,
  toCheckpoint: ToCheckpoint = (page) => ({ page }),
): Promise<number> {
  let refused = 0
  for await (const { items, skipped, answeredAtMs, page } of eachPage(read, { from })) {
    const refusals = await store(items, answeredAtMs)
    refused += refusals
    await advance({
      done: items.length - refusals,
      skipped: skipped.length + refusals,
      checkpoint: toCheckpoint(page + 1),
    })
  }
  return refused
}

/** The same job, which ends well where the platform does not have the list. `instead`: what its owner should know then. */
function whereOffered(job: Job, instead: string): Job {
  return {
    ...job,
    run: (context) =>
      job.run(context).catch((error: unknown) => {
        if (!isNotOffered(error)) throw error
        return { note: `${error.message} ${instead}`.trim() }
      }),
  }
}

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
