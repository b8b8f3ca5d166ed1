/**
 * A process that pulls everything, for a test that kills it: `sweep-child.ts <store> <platform> <clock>`. Its
 * time is that of the test's clock server, which moves on only when this process sleeps.
 */
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { migrate } from '../../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'
import type { JobResult } from '../../../services/jobs/job.ts'
import { openJobs } from '../../../services/jobs/open-jobs.ts'
import { readLastRuns } from '../../../services/jobs/attempt.ts'
import { createPullJobs, toPullSchedules } from '../../../services/sync/pull/pull-jobs.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import type { Clock } from '../../../services/platform/clock.ts'
import { createCallBudget } from '../../../services/platform/create-call-budget.ts'
import { openPlatformClient } from '../../../services/platform/open-platform-client.ts'

const [directory = '', baseUrl = '', clockUrl = ''] = process.argv.slice(2)

async function turnClock(ms: number): Promise<number> {
  const answer = await fetch(clockUrl, { method: 'POST', body: String(ms) })
  return Number(await answer.text())
}

let now = await turnClock(0)
const clock: Clock = {
  now: () => now,
  async sleep(ms, signal) {
    signal?.throwIfAborted()
    now = await turnClock(ms)
  },
}

const { writer: client, close } = await openEmbeddedClickHouse({ directory })
await migrate(client)
const budget = createCallBudget({ callsPerHour: 2_000, clock })
const platform = openPlatformClient({ baseUrl, token: 'platform-token', budget, clock, retries: 0 })

const jobs = openJobs({
  client,
  jobs: createPullJobs({ client, people: createPeople(client), platform, schedules: toPullSchedules('off') }),
  isRunner: () => false,
  timeZone: 'UTC',
  logger: pino({ level: 'silent' }),
  registry: new Registry(),
})
const results: JobResult[] = []
for (const name of ['users', 'guide-assignments']) {
  const { succeeded } = await readLastRuns(client, name)
  // A job that an earlier life has ended is not begun again; the schedule would not, either.
  if (succeeded === undefined) results.push(await jobs.run(name))
}
await jobs.close()
await platform.close()
await close()
process.stdout.write(`${JSON.stringify(results)}\n`)
