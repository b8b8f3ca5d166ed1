/** Lists that a platform may not have. Orders of guides and the Health page depend on it, so each answer is kept. */
import type { ClickHouseClient } from '@clickhouse/client'

export type OptionalList = 'guides' | 'guide_assignments' | 'changed_guide_assignments'

/** 404: not found. 405: not allowed. */
export type ListAnswer = { list: OptionalList; answer: 'answered' | 'not_found' | 'not_allowed' }

const hourMs = 3_600_000

/** Writes each answer of a list, at most once an hour. */
export function createListRecord(
  client: Pick<ClickHouseClient, 'insert'>,
  toPath: (list: OptionalList) => string,
): (answer: ListAnswer) => void {
  const writtenAt = new Map<string, number>()

  return function record({ list, answer }) {
    const key = `${list} ${answer}`
    const now = Date.now()
    if (now - (writtenAt.get(key) ?? 0) < hourMs) return
    writtenAt.set(key, now)
    const values = [{ list, path: toPath(list).replace(/\?.*/s, ''), [`${answer}_at`]: now }]
    client
      .insert({ table: 'rollcall.platform_lists', values, format: 'JSONEachRow' })
      // The next answer tries again.
      .catch(() => writtenAt.delete(key))
  }
}
