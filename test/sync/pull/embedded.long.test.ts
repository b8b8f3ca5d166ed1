/** The product as it is started, beside a platform that it may ask. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPlatform, type Platform } from '../../../sample-platform/start.ts'
import { startEmbedded, type Embedded } from '../../support/processes/embedded.ts'
import { until } from '../../support/wait.ts'
import { fileDirectory } from '../../support/directories.ts'

const to = Date.now()

describe('an installation with a platform', () => {
  let platform: Platform
  let embedded: Embedded
  const directory = fileDirectory()
  beforeAll(async () => {
    platform = await startPlatform({ seed: 'started', from: to - 60 * 86_400_000, to, people: 60 })
    await platform.deliverHistory()
    embedded = await startEmbedded(directory, {
      PLATFORM_URL: platform.baseUrl,
      PLATFORM_TOKEN: 'platform-token',
      // Sweeps spread their calls over the hour: with so many allowed, they are made at once.
      PLATFORM_CALLS_PER_HOUR: '100000',
    })
  })
  afterAll(async () => {
    await embedded.stop()
    await platform.close()
  })

  const read = async (url: string) => (await fetch(url)).text()

  test('pulls people and guides after its start, and shows how fresh they are', async () => {
    const metrics = () => read(`${embedded.adminUrl}/metrics`)
    const isDone = (text: string) =>
      ['users', 'guides', 'guide-assignments', 'guide-assignment-changes'].every((job) =>
        new RegExp(`rollcall_job_last_success_timestamp_seconds\\{job="${job}"\\} [1-9]`).test(text),
      )
    const text = await until(metrics, isDone)
    expect(isDone(text)).toBe(true)
    expect(text).toMatch(/rollcall_platform_calls_total\{endpoint="users",outcome="ok"\} [1-9]/)
    expect(text).toMatch(/rollcall_platform_calls_left [1-9]/)

    const guides = JSON.parse(await read(`${embedded.dashboardUrl}/api/guides`)) as Record<string, any>
    expect(guides['metrics'].assigned.value).toBeGreaterThan(20)
    expect(guides['pulled'].assignments).toEqual(expect.any(String))

    const page = await read(`${embedded.dashboardUrl}/guides?nonsense=1`)
    const { assigned, completed } = guides['metrics'] as Record<string, { value: number }>
    expect(page).toContain(`${completed?.value} of ${assigned?.value}`)
    expect(page).toContain('“nonsense”, which means nothing here')

    const setup = await read(`${embedded.dashboardUrl}/setup`)
    expect(setup).toContain('Scheduled jobs')
    expect(setup).toMatch(/Guide assignments, all.*Done: /s)
    expect(platform.calls.unpaged()).toEqual([])
    expect(setup + text).not.toContain('platform-token')
  })
})
