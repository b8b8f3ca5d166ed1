import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { toBuilt } from '../support/processes/built.ts'
import { childEnvironment, runToEnd } from '../support/processes/child.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'

test('the demo loads a company, says that it is a sample, goes on live and stops cleanly', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-demo-'))
  const [ingestPort, dashboardPort, adminPort] = await Promise.all([findFreePort(), findFreePort(), findFreePort()])
  const demo = spawn(process.execPath, [toBuilt('sample-platform/demo.ts')], {
    cwd: directory,
    env: childEnvironment({
      DATA_DIR: directory,
      INGEST_PORT: String(ingestPort),
      DASHBOARD_PORT: String(dashboardPort),
      ADMIN_PORT: String(adminPort),
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  demo.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(
    async () => output,
    (text) => text.includes('now live'),
  )
  expect(output).toMatch(/Loading the sample company\s+\d+ %/)
  expect(output).toContain(`Commands    DATA_DIR=${join(directory, 'demo')} npx rollcall --help`)
  // It empties its directory: never that of one that runs.
  const second = await runToEnd('sample-platform/demo.ts', {
    DATA_DIR: directory,
    INGEST_PORT: '0',
    DASHBOARD_PORT: '0',
    ADMIN_PORT: '0',
  })
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('another Rollcall runs on it') })
  expect(output).toMatch(/of 240 people over 6 months are in; now live/)

  const url = `http://127.0.0.1:${dashboardPort}`
  const { metrics } = await until(
    async () => (await (await fetch(`${url}/api/metrics`)).json()) as MetricsAnswer,
    (answer) => answer.metrics.assigned.value > 4_000,
  )
  expect(metrics.assigned.value).toBeGreaterThan(4_000)
  expect(metrics.overdue.value).toBeGreaterThan(0)
  expect(metrics.grading_backlog.value).toBeGreaterThan(0)
  expect(await (await fetch(url)).text()).toContain('Sample data.')
  const guides = (await (await fetch(`${url}/api/guides`)).json()) as { metrics: MetricsAnswer['metrics'] }
  expect(guides.metrics.assigned.value).toBeGreaterThan(100)
  const csv = await fetch(`${url}/api/assignments?fact=overdue&format=csv`)
  expect(csv.headers.get('content-disposition')).toMatch(/sample/i)
  await csv.text()
  // A directory of its own, so that a sample never gets among real data.
  expect(await readdir(directory)).toEqual(['demo'])

  demo.kill('SIGTERM')
  const [code] = (await once(demo, 'exit')) as [number | null]
  expect(code, output).toBe(0)
  await rm(directory, { recursive: true, force: true })
})
