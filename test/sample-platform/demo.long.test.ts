/** `npm run demo`, as a newcomer starts it. */
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { runToEnd } from '../support/processes/child.ts'
import { startDemo, type Demo } from '../support/processes/demo.ts'
import { until } from '../support/wait.ts'

let demo: Demo
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(async () => expect(await demo?.stop()).toBe(0))

test('it has loaded a company and says that it is a sample', async () => {
  const { url, env, output } = demo
  expect(output).toMatch(/Loading the sample company\s+\d+ %/)
  expect(output).toContain(`Commands    DATA_DIR=${env.DATA_DIR} npx rollcall --help`)
  expect(output).toMatch(/of 240 people over 6 months are in; now live/)
  const ask = async (path: string) => (await (await fetch(url + path)).json()) as MetricsAnswer
  const { metrics } = await until(
    () => ask('/api/metrics'),
    (answer) => answer.metrics.assigned.value > 4_000,
  )
  expect(metrics.overdue.value).toBeGreaterThan(0)
  expect(metrics.grading_backlog.value).toBeGreaterThan(0)
  expect((await ask('/api/guides')).metrics.assigned.value).toBeGreaterThan(100)
  expect(await (await fetch(url)).text()).toContain('Sample data.')
  // Rows lead into the platform.
  expect(await (await fetch(`${url}/grading`)).text()).toMatch(/href="http:\/\/127\.0\.0\.1:\d+\/grading\//)
  const csv = await fetch(`${url}/api/assignments?fact=overdue&format=csv`)
  expect(csv.headers.get('content-disposition')).toMatch(/sample/i)
})

test('it has a directory of its own, and is not started twice', async () => {
  const parent = dirname(demo.env.DATA_DIR)
  expect(await readdir(parent)).toEqual(['demo'])
  // It empties its directory: never that of one that runs.
  const ports = { INGEST_PORT: '0', DASHBOARD_PORT: '0', ADMIN_PORT: '0' }
  const second = await runToEnd('sample-platform/demo.ts', { DATA_DIR: parent, ...ports })
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('another Rollcall runs on it') })
})
