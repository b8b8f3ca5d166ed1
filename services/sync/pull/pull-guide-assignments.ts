/**
 * All guide assignments, guide by guide in the order of their ids, spread over time. Where the platform does not list its
 * guides, those that were ordered here.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { eachPage } from '../../platform/each-page.ts'
import type { PlatformClient } from '../../platform/platform-client.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { readCount, type Job } from '../../jobs/job.ts'
import { storeWhatCanBe } from '../../consumer/set-aside/store-what-can-be.ts'
import { select } from '../statements.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { toGuideAssignmentRow, storeGuides } from './guide-rows.ts'

export type PullGuideAssignmentsDeps = {
  client: ClickHouseClient
  platform: PlatformClient
  schedule: string
  /** Assignments on a page. Default: the most that the platform gives. */
  pageSize?: number
}

export function createPullGuideAssignmentsJob(deps: PullGuideAssignmentsDeps): Job {
  const { client, platform, schedule, pageSize } = deps

  /** Read in every attempt: few calls, and new guides are not missed. */
  async function readGuideIds(signal: AbortSignal): Promise<string[]> {
    const ids = new Set<string>()
    try {
      for await (const { items, answeredAtMs } of eachPage((page) => platform.guides({ page, signal }))) {
        await storeGuides(client, items, answeredAtMs)
        for (const { id } of items) ids.add(id)
      }
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== 'NOT_OFFERED') throw error
      const ordered = await select<{ id: string }>(client, 'ordered-guides')
      for (const { id } of ordered) ids.add(id)
    }
    return [...ids].sort()
  }

  return {
    name: 'guide-assignments',
    title: 'The full pull of guide assignments',
    schedule,
    async run({ checkpoint, signal, priority, startedAtMs, advance }) {
      const at = typeof checkpoint?.['guideId'] === 'string' ? checkpoint['guideId'] : ''
      const guideIds = await readGuideIds(signal)
      let gone = 0
      for (const guideId of guideIds.filter((id) => id >= at)) {
        const from = guideId === at ? readCount(checkpoint, 'page') : 0
        const read = (page: number | 'all') =>
          platform.guideAssignments(guideId, {
            page,
            priority,
            signal,
            ...(pageSize !== undefined && { size: pageSize }),
          })
        try {
          for await (const { items, skipped, answeredAtMs, page } of eachPage(read, { from })) {
            const rows = items.map((item) => toGuideAssignmentRow(item, answeredAtMs))
            const left = await storeWhatCanBe(rows, (some) => insertRows(client, 'guide_assignment_rows', some))
            await advance({
              done: items.length - left,
              skipped: skipped.length + left,
              checkpoint: { guideId, page: page + 1 },
            })
          }
        } catch (error) {
          if (!(error instanceof PlatformError)) throw error
          if (error.code === 'NOT_OFFERED') return { note: error.message }
          if (error.code !== 'NOT_FOUND') throw error
          // Removed since the list was read. Its assignments are unseen from now on.
          gone++
        }
      }
      return {
        checkpoint: { sweptFromMs: startedAtMs },
        ...(gone > 0 && {
          note: `${gone} of ${guideIds.length} guides were gone when their assignments were asked for, or the platform does not list them.`,
        }),
      }
    },
  }
}
