import { Registry } from 'prom-client'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readPlatformNotices, toNoticeInstant } from '../../reporting/queries/platform.ts'
import { openPlatform } from '../../services/platform/open-platform.ts'
import { createNoticeRecord } from '../../services/platform/platform-notices.ts'
import { until } from '../support/wait.ts'
import { openTestStore } from '../support/store/store.ts'
import { serveAnswers, type Answered } from './answers.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())
async function open(answer: (url: URL, call: number) => Answered) {
  const server = await serveAnswers(answer)
  onTestFinished(() => server.close())
  const settings = {
    platformUrl: server.url,
    platformToken: 'platform-token',
    platformPaths: undefined,
    platformCallsPerHour: 100_000,
    platformTimeoutMs: 60_000,
    platformMaxAnswerBytes: 1_000_000,
    platformTakeBackPath: undefined,
  }
  const platform = openPlatform(settings, store.writer, new Registry())
  if (platform === undefined) throw new Error('no platform')
  onTestFinished(() => platform.close())
  return platform
}

const read = () => readPlatformNotices(ownReader(store.reader), Date.now())
const sunset = 'Thu, 31 Dec 2026 23:59:59 GMT'

describe('an end that the platform announces', () => {
  test('is noticed once for its path and value, with the date that it names', async () => {
    const headers = { sunset, deprecation: '@1688169599' }
    const platform = await open((url) => ({
      json: [],
      ...(url.pathname.includes('/guides/') && { headers }),
    }))
    await platform.users({ page: 0 })
    for (const guide of ['a', 'b', 'c']) await platform.guideAssignments(guide, { page: 0 })
    await until(async () => (await read()).length === 2)
    const path = '/api/v1/guides/{id}/assignments'
    expect(await read()).toMatchObject([
      { path, header: 'deprecation', value: '@1688169599', at: '2023-06-30T23:59:59.000Z' },
      { path, header: 'sunset', value: sunset, at: '2026-12-31T23:59:59.000Z' },
    ])
    expect(await store.rows('SELECT count() AS n FROM rollcall.platform_notices')).toEqual([{ n: '2' }])
  })

  test('is noticed where the answer is a refusal, and without the query of the path', async () => {
    const platform = await open(() => ({ status: 404, json: {}, headers: { deprecation: 'true' } }))
    expect(await platform.userAssignments('7')).toEqual({ outcome: 'not_found' })
    await until(async () => (await read()).length === 1)
    expect(await read()).toMatchObject([
      { path: '/api/v1/users/{id}/assignments', header: 'deprecation', value: 'true', at: null },
    ])
  })

  test('is bounded: long values, control characters, another value with every answer', async () => {
    const platform = await open((url, call) => ({
      json: [],
      headers: {
        sunset:
          call === 0
            ? `\t<script>é\u0085\t${'x'.repeat(9_000)}`
            : url.pathname.includes('guides')
              ? sunset
              : `v${call}`,
      },
    }))
    for (let call = 0; call < 40; call++) await platform.users({ page: 0 })
    // A flood hides nothing that other paths announce.
    await platform.guides({ page: 0 })
    await until(async () => (await read()).length === 4)
    expect((await read()).map(({ path }) => path)).toEqual([
      '/api/v1/guides',
      ...Array.from({ length: 3 }, () => '/api/v1/users'),
    ])
    const [stored] = await store.rows(
      `SELECT uniqExact(value) <= 21 AS few, max(lengthUTF8(value)) AS longest, countIf(match(value, '[\\x00-\\x1f]')) AS odd,
        countIf(startsWith(value, '<script>é xx') OR startsWith(value, '<script>é  xx')) AS start
      FROM rollcall.platform_notices`,
    )
    expect(stored).toMatchObject({ odd: '0', start: '1' })
    expect(Number(stored?.['longest'])).toBeLessThanOrEqual(200)
    expect(Boolean(stored?.['few'])).toBe(true)
  })

  test('that is no longer announced is shown for 30 days', async () => {
    const platform = await open(() => ({ json: [], headers: { sunset } }))
    await platform.users({ page: 0 })
    await until(async () => (await read()).length === 1)
    expect(await readPlatformNotices(ownReader(store.reader), Date.now() + 29 * 86_400_000)).toHaveLength(1)
    expect(await readPlatformNotices(ownReader(store.reader), Date.now() + 31 * 86_400_000)).toHaveLength(0)
  })

  test('that cannot be stored fails no call, and is stored with the next answer', async () => {
    let now = Date.UTC(2026, 4, 4)
    const rows: unknown[] = []
    let isAway = true
    const insert = ({ values }: { values: unknown }) => {
      if (isAway) return Promise.reject(new Error('away'))
      rows.push(...(values as unknown[]))
      return Promise.resolve({})
    }
    const record = createNoticeRecord(
      { insert } as never,
      () => '/users',
      () => now,
    )
    const notice = { endpoint: 'users', header: 'sunset', value: sunset } as const
    record(notice)
    await Promise.resolve().then(() => undefined)
    isAway = false
    record(notice)
    record(notice)
    expect(rows).toHaveLength(1)
    now += 86_400_000
    record(notice)
    expect(rows).toMatchObject([{ first_seen: now - 86_400_000 }, { last_seen: now }])
  })
})

test.each([
  [sunset, Date.UTC(2026, 11, 31, 23, 59, 59)],
  ['@1688169599', Date.UTC(2023, 5, 30, 23, 59, 59)],
  ['2026-12-31T00:00:00Z', Date.UTC(2026, 11, 31)],
  ['2026-12-31', Date.UTC(2026, 11, 31)],
  ['true', undefined],
  ['Ann Berg 5', undefined],
  ['Thu, 99 Dec 2026 23:59:59 GMT', undefined],
  ['@99999999999999', undefined],
  ['@999999999999', undefined],
  ['-1', undefined],
  ['1688169599', undefined],
  ['', undefined],
])('the date of %j is %j', (value, expected) => {
  expect(toNoticeInstant(value)).toBe(expected)
})
