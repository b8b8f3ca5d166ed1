/**
 * `Deprecation` and `Sunset` headers: by these a platform says that it will end an endpoint. They are kept for the Health
 * page, each once for its path. Nothing depends on them, so nothing about them may fail a call.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { PathName } from '../config/values/platform-paths.ts'
import { createRemembered } from './clock.ts'
import type { ListName } from './read-pages.ts'

// Which lists the platform offers: when each was last answered, and when it was last missing. Orders of guides depend on
// it, and the Health page says it. A list that is missing costs no call to say so.

/** 404: not found. 405: not allowed. */
export type ListAnswer = { list: ListName; answer: 'answered' | 'not_found' | 'not_allowed' }

const hourMs = 3_600_000

/** Writes each answer of a list, at most once an hour. */
export function createListRecord(
  client: Pick<ClickHouseClient, 'insert'>,
  toPath: (list: ListName) => string,
): (answer: ListAnswer) => void {
  const written = createRemembered<string>({ now: Date.now }, hourMs)

  return function record({ list, answer }) {
    const key = `${list} ${answer}`
    if (written.has(key)) return
    written.add(key)
    const path = toPath(list).replace(/\?.*/s, '')
    const values = [{ list, path, [`${answer}_at`]: Date.now() }]
    client
      .insert({ table: 'rollcall.platform_lists', values, format: 'JSONEachRow' })
      // The next answer tries again.
      .catch(() => written.forget(key))
  }
}

const noticeHeaders = ['deprecation', 'sunset'] as const

export type PlatformNotice = { endpoint: PathName; header: (typeof noticeHeaders)[number]; value: string }

const maxValueLength = 200
/** Values of a header at a path. A platform that sends another one with every answer is not worth more. */
const maxValues = 20
const dayMs = 86_400_000

export function readNotices(endpoint: PathName, headers: Headers): PlatformNotice[] {
  return noticeHeaders.flatMap((header) => {
    const value = (headers.get(header) ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, maxValueLength)
      .trim()
    return value === '' ? [] : [{ endpoint, header, value }]
  })
}

/** Writes new notices, and once a day that one is still sent. */
export function createNoticeRecord(
  client: Pick<ClickHouseClient, 'insert'>,
  toPath: (endpoint: PathName) => string,
  now: () => number = Date.now,
): (notice: PlatformNotice) => void {
  const written = new Map<string, Map<string, number>>()

  return function record({ endpoint, header, value }) {
    const path = toPath(endpoint).replace(/\?.*/s, '')
    const key = `${header} ${path}`
    const writtenAtMs = written.get(key) ?? new Map<string, number>()
    written.set(key, writtenAtMs)
    const at = now()
    const before = writtenAtMs.get(value)
    if (before === undefined ? writtenAtMs.size >= maxValues : Math.abs(at - before) < dayMs) return
    writtenAtMs.set(value, at)
    const values = [{ path, header, value, first_seen: at, last_seen: at }]
    client
      .insert({ table: 'rollcall.platform_notices', values, format: 'JSONEachRow' })
      // The next answer that has it tries again.
      .catch(() => writtenAtMs.delete(value))
  }
}
