/**
 * Which lists the platform offers: when each was last answered, and when it was last missing. Orders of guides depend on
 * it, and the Health page says it. A list that is missing costs no call to say so.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { ListName } from './read-pages.ts'
import { createRemembered } from './remembered.ts'

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
