/**
 * A process that pulls all users and is killed: `pull-child.ts <store> <platform> <insert>`. By itself, right before or after that
 * insert, because a busy machine may keep another process from it until all is done. `never`: it ends by itself.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { openJobs } from '../../../services/jobs/open-jobs.ts'
import { systemClock } from '../../../services/platform/clock.ts'
import { createCallBudget } from '../../../services/platform/create-call-budget.ts'
import { openPlatformClient } from '../../../services/platform/open-platform-client.ts'
import { createPullJobs, toPullSchedules } from '../../../services/sync/pull/pull-jobs.ts'

const [directory = '', baseUrl = '', killedAt = ''] = process.argv.slice(2)
const { writer, close } = await openEmbeddedClickHouse({ directory })
let inserts = 0
const insert: ClickHouseClient['insert'] = async (...args) => {
  const isLast = ++inserts === Number(killedAt)
  const isBefore = inserts % 2 === 0
  if (isLast && isBefore) process.kill(process.pid, 'SIGKILL')
  const result = await writer.insert(...args)
  if (isLast) process.kill(process.pid, 'SIGKILL')
  return result
}
const client = new Proxy(writer, {
  get: (target, name: keyof ClickHouseClient) =>
    name === 'insert' ? insert : (target[name] as (...args: unknown[]) => unknown).bind(target),
})
const budget = createCallBudget({ callsPerHour: 3_000_000 })
const platform = openPlatformClient({ baseUrl, token: 'platform-token', budget, clock: systemClock })
const people = createPeople(client)
const jobs = openJobs({
  client,
  jobs: createPullJobs({ client, people, platform, schedules: toPullSchedules('off'), pageSize: 10 }),
  isRunner: () => false,
  timeZone: 'UTC',
  logger: pino({ level: 'silent' }),
  registry: new Registry(),
})
const { outcome, error } = await jobs.run('users')
if (outcome !== 'succeeded') throw new Error(`The pull ${outcome}: ${error?.message}`)
await jobs.close()
await platform.close()
await close()
