import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiFault } from '../../sample-platform/api/api-faults.ts'
import { type Platform } from '../../sample-platform/start.ts'
import { openTestStore } from '../support/store/store.ts'
import { openPlatforms, type Installation } from '../sync/pull/installation.ts'
import { until } from '../support/wait.ts'
import { isLong, pick } from '../support/tiers.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 4, 18, 12)
const hourMs = 3_600_000

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

const { start, open } = openPlatforms(store, { seed: 'jobs', from, to, people: 60 })

/** Pages of users that the platform was asked for, in order. */
function pagesAsked(platform: Platform): number[] {
  return platform.calls
    .list()
    .filter(({ path, method }) => path === '/users' && method === 'GET')
    .map(({ query }) => Number(new URLSearchParams(query).get('page')))
}

/** A clock that a test sets, and the turns of the schedule on it: each ends with a sleep, which takes its real, short time. */
function createSetClock(at: number) {
  const clock = {
    at,
    turns: 0,
    now: () => clock.at,
    sleep(ms: number, signal?: AbortSignal) {
      clock.turns++
      return sleep(Math.min(ms, 20), undefined, { signal })
    },
  }
  return clock
}

/** The schedule has looked at the due jobs, and those that it began have ended. */
async function untilIdle({ registry }: Installation, clock: { turns: number }): Promise<void> {
  const { turns } = clock
  await until(
    async () => clock.turns > turns + 1 && !/^rollcall_job_running.* 1$/m.test(await registry.metrics()),
  )
}

const pulls = () =>
  store.rows('SELECT job, state, items, pages, attempts, error_code, error FROM rollcall.pulls')
const countPeople = async () =>
  Number((await store.rows<{ n: string }>('SELECT count() AS n FROM rollcall.users'))[0]?.n)

const outages: [fault: ApiFault['fault'], code: string][] = [
  ['throttled', 'RATE_LIMITED'],
  ['failing', 'FAILED'],
  ['truncated', 'UNREADABLE'],
  ['garbled', 'UNREADABLE'],
  ['slow', 'TIMED_OUT'],
  ['cut', 'UNREACHABLE'],
]

describe('a job', () => {
  test('reports why it failed, and resumes at the page that failed', async () => {
    const platform = await start()
    const { jobs, registry, log } = open(platform.baseUrl, { pageSize: 10 })
    platform.apiFaults.next({ fault: 'failing', path: /^\/users/, times: 2 })
    const failed = await jobs.run('users')
    expect(failed).toMatchObject({ outcome: 'failed', done: 0, error: { code: 'FAILED' } })

    platform.calls.clear()
    const third = { fault: 'failing', path: /^\/users/, times: 2 } as const
    const begun = await jobs.run('users', {
      // The third page is stored; the fourth cannot be had.
      onProgress: ({ pages }) => void (pages === 3 && platform.apiFaults.next(third)),
    })
    expect(begun).toMatchObject({ outcome: 'failed', done: 30, pages: 3, runId: failed.runId })
    expect(pagesAsked(platform)).toEqual([0, 1, 2, 3, 3])
    expect(await pulls()).toEqual([
      expect.objectContaining({ job: 'users', state: 'failed', items: '30', error_code: 'FAILED' }),
    ])
    expect(await countPeople()).toBe(30)

    platform.calls.clear()
    const ended = await jobs.run('users')
    const everyone = platform.life.population.people.length
    expect(ended).toMatchObject({ outcome: 'succeeded', resumed: true, done: everyone, runId: failed.runId })
    expect(pagesAsked(platform)[0]).toBe(3)
    expect(await countPeople()).toBe(everyone)
    expect(await pulls()).toEqual([
      expect.objectContaining({ state: 'succeeded', attempts: 3, error_code: null }),
    ])
    const metrics = await registry.metrics()
    expect(metrics).toContain('rollcall_job_runs_total{job="users",outcome="failed",code="FAILED"} 2')
    expect(metrics).toMatch(/rollcall_job_last_success_timestamp_seconds\{job="users"\} [1-9]/)
    expect(log.map(({ msg }) => msg)).toEqual(['A job failed', 'A job failed', 'A job is done'])
  })

  test.each([
    ['the token is refused', { token: 'wrong' }, 'UNAUTHORIZED', /dies with that user/],
    ['the admin of the token is gone', { token: 'former-admin' }, 'FORBIDDEN', /dies with that user/],
  ])(
    'tells the owner in words when %s, and does not try again and again',
    async (_, options, code, words) => {
      const platform = await start({ forbiddenTokens: ['former-admin'] })
      const clock = createSetClock(Date.now())
      const installation = open(platform.baseUrl, { ...options, clock, schedules: { users: '0 0 * * *' } })
      const { log } = installation
      await until(async () => (await pulls()).length === 1 && log.length > 0)
      expect(await pulls()).toEqual([
        expect.objectContaining({
          job: 'users',
          state: 'failed',
          error_code: code,
          error: expect.stringMatching(words),
        }),
      ])
      await untilIdle(installation, clock)
      expect(platform.calls.list()).toHaveLength(1)
      expect(log).toEqual([expect.objectContaining({ msg: 'A job failed', code })])
      expect(JSON.stringify(log)).not.toContain(options.token)
    },
  )

  test.each(pick(outages, 3, 2))(
    'outlives a platform that is %s, and ends when it is back with nobody missing',
    async (fault, code) => {
      const platform = await start()
      const limits = code === 'TIMED_OUT' ? { timeoutMs: 4_000, retries: 0 } : {}
      const { jobs } = open(platform.baseUrl, { pageSize: 20, ...limits })
      const isGone = { since: false }
      const result = await jobs.run('users', {
        onProgress: ({ pages }) => {
          if (pages !== 2 || isGone.since) return
          isGone.since = true
          platform.apiFaults.next({ fault, times: Infinity, slowMs: 600_000 })
        },
      })
      expect(result).toMatchObject({ outcome: 'failed', done: 40, error: { code } })
      platform.apiFaults.clear()
      const patient = open(platform.baseUrl, { pageSize: 20 })
      expect(await patient.jobs.run('users')).toMatchObject({ outcome: 'succeeded', resumed: true })
      expect(await countPeople()).toBe(platform.life.population.people.length)
    },
  )

  test('runs once at a time, and rejects a second request as busy', async () => {
    const platform = await start()
    const { jobs } = open(platform.baseUrl)
    // The second asks in the same turn of the loop.
    const first = jobs.run('users')
    await expect(jobs.run('users')).rejects.toMatchObject({ code: 'JOB_BUSY' })
    expect(await first).toMatchObject({ outcome: 'succeeded' })
    await expect(jobs.run('nonsense')).rejects.toThrow('There is no job nonsense')
  })
})

describe('the schedule', () => {
  test('does at once what was never done, then what the pattern says, and after a restart what was missed', async () => {
    const platform = await start()
    const clock = createSetClock(Date.UTC(2026, 8, 1, 12))
    const users = '0 3 * * *'
    const first = open(platform.baseUrl, { clock, schedules: { users: users } })
    const runs = () => pagesAsked(platform).filter((page) => page === 0).length
    const isIdle = async () => (await pulls())[0]?.['state'] === 'succeeded'
    await until(async () => runs() === 1 && (await isIdle()))
    clock.at = Date.UTC(2026, 8, 2, 2, 59)
    await untilIdle(first, clock)
    expect(runs()).toBe(1)
    clock.at = Date.UTC(2026, 8, 2, 3, 1)
    await until(async () => runs() === 2 && (await isIdle()))
    await first.close()

    const second = open(platform.baseUrl, { clock, schedules: { users: users } })
    await untilIdle(second, clock)
    expect(runs()).toBe(2)
    await second.close()
    clock.at = Date.UTC(2026, 8, 3, 9)
    open(platform.baseUrl, { clock, schedules: { users: users } })
    await until(async () => runs() === 3 && (await isIdle()))
  })

  test('tries again after a failure, less and less often', async () => {
    const platform = await start()
    platform.apiFaults.next({ fault: 'failing', times: Infinity })
    const clock = createSetClock(Date.UTC(2026, 8, 1, 12))
    const installation = open(platform.baseUrl, { clock, retries: 0, schedules: { users: '0 3 * * *' } })
    const { log } = installation
    await until(() => log.length === 1)
    for (const [seconds, attempts] of [
      [50, 1],
      [20, 2],
      [110, 2],
      [20, 3],
      [230, 3],
      [20, 4],
    ] as const) {
      clock.at += seconds * 1_000
      await untilIdle(installation, clock)
      expect(log).toHaveLength(attempts)
    }
    platform.apiFaults.clear()
    clock.at += hourMs
    await until(async () => (await pulls())[0]?.['state'] === 'succeeded')
  })

  test.runIf(isLong)(
    'runs in one process, and another that takes over resumes at the same page',
    async () => {
      const platform = await start()
      const isChanged = () => pagesAsked(platform).length >= 4
      const options = { pageSize: 5, schedules: { users: '0 3 * * *' } }
      const first = open(platform.baseUrl, { ...options, isRunner: () => !isChanged() })
      open(platform.baseUrl, { ...options, isRunner: isChanged })
      await until(async () => first.log.length > 0 && (await pulls())[0]?.['state'] === 'succeeded')
      expect(first.log).toEqual([
        expect.objectContaining({ msg: 'A job was stopped; it goes on at the next start' }),
      ])
      // The page under way at the change may be read by both, and no other.
      const asked = pagesAsked(platform)
      expect(asked.length).toBeLessThanOrEqual(new Set(asked).size + 2)
      expect(await countPeople()).toBe(platform.life.population.people.length)
      expect(await pulls()).toEqual([expect.objectContaining({ attempts: 2 })])
    },
  )
})
