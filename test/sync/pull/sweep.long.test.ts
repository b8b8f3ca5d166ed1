import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'
import type { JobResult } from '../../../services/jobs/job.ts'
import { startPlatform, type Platform } from '../../../sample-platform/start.ts'
import { fileDirectory } from '../../support/directories.ts'

const child = join(import.meta.dirname, 'sweep-child.ts')
/** So that the hours of the sweep are just over: `users` is as of now. */
const to = Date.now() - 6 * 3_600_000
const from = to - 21 * 86_400_000
describe('a full sweep of 2,000 users', () => {
  let platform: Platform
  const directory = fileDirectory()
  const clock = { at: to }
  const clockServer = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => response.end(String((clock.at += Number(text)))))
  })
  const children = new Set<ChildProcess>()

  beforeAll(async () => {
    platform = await startPlatform({
      seed: 'sweep',
      from,
      to,
      people: 2_000,
      callsPerHour: 100_000,
      clock: () => clock.at,
    })
    await platform.deliverHistory()
    await new Promise<void>((resolve) => clockServer.listen(0, '127.0.0.1', resolve))
  })

  afterAll(async () => {
    for (const one of children) one.kill('SIGKILL')
    clockServer.closeAllConnections()
    clockServer.close()
    await platform.close()
  })

  function begin(): { process: ChildProcess; output: Promise<string> } {
    const { port } = clockServer.address() as AddressInfo
    const clockUrl = `http://127.0.0.1:${port}`
    const started = spawn(process.execPath, [child, directory, platform.baseUrl, clockUrl], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(started)
    let output = ''
    started.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    started.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return { process: started, output: once(started, 'close').then(() => output) }
  }

  /** Calls of the sweep: pages of users and of guide assignments. */
  const swept = () =>
    platform.calls
      .list()
      .filter(({ path }) => path === '/users' || path.endsWith('/assignments'))
      .map(({ path, query }) => `${path} ${new URLSearchParams(query).get('page')}`)

  test('survives kill -9 again and again, and never starts over', async () => {
    // In the middle of the users, at the beginning of the assignments, and further on.
    const kills = [8, 24, 32]
    for (const wanted of kills) {
      const { process, output } = begin()
      // A few calls later one is answered only when it is gone: however fast it is, it does not come to its end before.
      const isTooFar = Object.assign(/^/, { test: () => swept().length > wanted + 4 })
      platform.apiFaults.next({ fault: 'slow', path: isTooFar, heldUntil: output })
      await until(
        () => (process.exitCode === null ? swept().length : Infinity),
        (calls) => calls >= wanted,
      )
      process.kill('SIGKILL')
      expect(await output).toBe('')
      children.delete(process)
    }
    const last = begin()
    const output = await last.output
    expect(output).toMatch(/^\[\{/)
    const results = JSON.parse(output) as JobResult[]
    // The users were done before the second kill.
    expect(results).toEqual([
      expect.objectContaining({ job: 'guide-assignments', outcome: 'succeeded', resumed: true }),
    ])

    // No page was asked for twice, but those that were under way at a kill.
    expect(swept().length - new Set(swept()).size).toBeLessThanOrEqual(kills.length)

    const { reader, close } = await openEmbeddedClickHouse({ directory })
    const count = async (query: string) => {
      const answer = await reader.query({ query, format: 'JSONEachRow' })
      return Number((await answer.json<{ n: string }>())[0]?.n)
    }
    expect(await count('SELECT count() AS n FROM rollcall.users')).toBe(
      platform.life.population.people.length,
    )
    expect(await count('SELECT count() AS n FROM rollcall.users WHERE active')).toBe(
      platform.life.population.people.filter(({ isDeleted }) => !isDeleted).length,
    )
    expect(await count('SELECT count() AS n FROM rollcall.guide_assignments')).toBe(
      platform.guides.assignmentsAt(platform.life.now()).length,
    )
    await close()
  })
})
