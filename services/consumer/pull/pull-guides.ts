/** All guides: few pages. */
import type { ClickHouseClient } from '@clickhouse/client'
import { eachPage } from '../../platform/each-page.ts'
import type { PlatformClient } from '../../platform/platform-client.ts'
import type { Job } from '../jobs/job.ts'
import { toPageCheckpoint } from './page-checkpoint.ts'
import { storeGuides } from './store-guides.ts'

export type PullGuidesDeps = { client: ClickHouseClient; platform: PlatformClient; schedule: string | undefined }

export function createPullGuidesJob({ client, platform, schedule }: PullGuidesDeps): Job {
  return {
    name: 'guides',
    title: 'The pull of guides',
    schedule,
    async run({ checkpoint, signal, advance }) {
      const read = (page: number) => platform.guides({ page, signal })
      for await (const answer of eachPage(read, { from: toPageCheckpoint(checkpoint) })) {
        await storeGuides(client, answer.items, answer.answeredAtMs)
        const { items, skipped, page } = answer
        await advance({ done: items.length, skipped: skipped.length, checkpoint: { page: page + 1 } })
      }
      return {}
    },
  }
}
