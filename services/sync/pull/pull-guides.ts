/** All guides: few pages. */
import type { ClickHouseClient } from '@clickhouse/client'
import { eachPage } from '../../platform/each-page.ts'
import type { PlatformClient } from '../../platform/platform-client.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { readCount, type Job } from '../../jobs/job.ts'
import { toRefusedNote } from '../../consumer/set-aside/store-what-can-be.ts'
import { storeGuides } from './guide-rows.ts'

export type PullGuidesDeps = { client: ClickHouseClient; platform: PlatformClient; schedule: string }

export function createPullGuidesJob({ client, platform, schedule }: PullGuidesDeps): Job {
  return {
    name: 'guides',
    title: 'The pull of guides',
    schedule,
    async run({ checkpoint, signal, advance }) {
      const read = (page: number | 'all') => platform.guides({ page, signal })
      let refused = 0
      try {
        for await (const answer of eachPage(read, { from: readCount(checkpoint, 'page') })) {
          const { items, skipped, page } = answer
          const left = await storeGuides(client, items, answer.answeredAtMs)
          refused += left
          await advance({ done: items.length - left, skipped: skipped.length + left, checkpoint: { page: page + 1 } })
        }
      } catch (error) {
        if (!(error instanceof PlatformError) || error.code !== 'NOT_OFFERED') throw error
        return { note: `${error.message} Guides are given by their id.` }
      }
      return toRefusedNote(refused)
    },
  }
}
