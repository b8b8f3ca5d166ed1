/** An installation that starts when the platform has a history: no webhook of it was ever sent here. */
import { Registry } from 'prom-client'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../services/platform/clock.ts'
import { openDashboards } from '../../../dashboards/open-dashboards.ts'
import { openJobs } from '../../../services/jobs/open-jobs.ts'
import { createLogger } from '../../../services/runtime/logger.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { createFetchJob, fetchJob } from '../../../services/sync/reconcile/create-reconcile-job.ts'
import { createPullJobs, toPullSchedules } from '../../../services/sync/pull/pull-jobs.ts'
import { readPulls } from '../../../reporting/queries/setup.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { day, monday } from '../../support/data/records.ts'
import { until } from '../../support/wait.ts'
import { charts } from '../../dashboards/charts.ts'
import { settings } from '../../dashboards/ui/serve.ts'
import { follow } from '../../support/network/follow.ts'
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

/** The page Setup over these jobs: what its button does, and what it shows then. */
async function openSetup(jobs: ReturnType<typeof open>) {
  const fetchExisting = () => jobs.start(fetchJob)
  const rest = { settings, charts, isReady: () => true, onError: console.error }
  const { app, close } = await openDashboards({ client: store.reader, fetchExisting, ...rest })
  onTestFinished(close)
  return {
    read: async () => (await app.request('/setup')).text(),
    async press() {
      const pressed = await app.request('/setup/fetch', { method: 'POST' })
      const shown = await follow(pressed, (path, cookie) => app.request(path, { headers: { cookie } }))
      return shown.text()
    },
  }
}

test('fetches every assignment that exists, once at a time, and continues by itself after a restart', async () => {
  expect([await countAssignments(), await readFetch()]).toEqual([0, undefined])
  // After three people it waits for an answer until the restart.
  const path = /assignments/
  platform.apiFaults.next({ fault: 'slow', slowMs: 0, path, times: 3 })
  platform.apiFaults.next({ fault: 'hang', path, times: Infinity })
  const first = open()
  const setup = await openSetup(first)
  expect(await setup.press()).toContain('The fetch has started.')
  expect(await setup.press()).toContain('The fetch is already running.')
  await until(readFetch, (fetch) => fetch?.items === 3)
  await first.close()
  platform.apiFaults.clear()
  expect(await setup.read()).toMatch(/Fetched \d+ of \d+ people\./)

  open()
  await until(readFetch, (fetch) => fetch?.state === 'succeeded')
  expect(await setup.read()).toContain('Fetched the assignments of')
  const existing = platform.truth().assignments.filter(({ deleted }) => !deleted).length
  expect(existing).toBeGreaterThan(20)
  expect(await countAssignments()).toBe(existing)
  // No webhook came, and the page does not say that one did.
  expect(await setup.read()).toContain('Wait for the first webhook')
})
