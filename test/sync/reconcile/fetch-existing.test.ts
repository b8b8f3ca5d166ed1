/** An installation that starts when the platform has a history: no webhook of it was ever sent here. */
import { Registry } from 'prom-client'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../services/platform/clock.ts'
import { openJobs } from '../../../services/jobs/open-jobs.ts'
import { createLogger } from '../../../services/runtime/logger.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { createFetchJob, fetchJob } from '../../../services/sync/reconcile/create-reconcile-job.ts'
import { createPullJobs, toPullSchedules } from '../../../services/sync/pull/pull-jobs.ts'
import { readPulls } from '../../../reporting/queries/setup.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { day, monday } from '../../support/data/records.ts'
import { until } from '../../support/wait.ts'
import { openPipeline } from './pipeline.ts'

const history = { from: monday, to: monday + 60 * day }
const pipeline = await openPipeline({ seed: 'existing', people: 30, ...history, faults: { loss: 1 } })
afterAll(() => pipeline.close())
const { store, client, platform, clock } = pipeline
await platform.deliverHistory()

/** As in the product, in the process that runs jobs. */
function open() {
  const people = createPeople(store.writer)
  const schedules = toPullSchedules('off')
  const [users] = createPullJobs({ client: store.writer, people, platform: client, schedules, pageSize: 10 })
  const jobs = openJobs({
    client: store.writer,
    jobs: [createFetchJob({ reconcile: pipeline.reconcile, users: users! })],
    isRunner: () => true,
    timeZone: 'UTC',
    logger: createLogger({ part: 'jobs', level: 'silent' }),
    registry: new Registry(),
    clock: { ...systemClock, now: () => clock.now() },
    tickMs: 20,
  })
  onTestFinished(() => jobs.close())
  return jobs
}
const readFetch = async () => (await readPulls(ownReader(store.reader))).find(({ job }) => job === fetchJob)
const countAssignments = async () => {
  await pipeline.settled()
  const [row] = await store.rows<{ n: string }>('SELECT count() AS n FROM rollcall.assignments_all')
  return Number(row?.n)
}

test('fetches every assignment that exists, once at a time, and continues by itself after a restart', async () => {
  expect([await countAssignments(), await readFetch()]).toEqual([0, undefined])
  const first = open()
  expect([first.start(fetchJob), first.start(fetchJob)]).toEqual([true, false])
  await until(async () => ((await readFetch())?.items ?? 0) > 2)
  await first.close()
  expect(await readFetch()).toMatchObject({ state: 'running', total: expect.any(Number) })

  open()
  await until(readFetch, (fetch) => fetch?.state === 'succeeded')
  const existing = platform.truth().assignments.filter(({ deleted }) => !deleted).length
  expect(existing).toBeGreaterThan(20)
  expect(await countAssignments()).toBe(existing)
})
