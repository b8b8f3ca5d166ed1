/** A local log from its files to its files: opened, used and closed again. */
import type { LogRecord } from '../../../services/event-log/event-log.ts'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import { openLocalStore } from '../../../services/event-log/local/store.ts'
import { makeLogDirectory } from '../../../services/event-log/local/table.ts'
import { day } from '../../support/data/records.ts'
import { until } from '../../support/wait.ts'
import { createStore, readerOptions } from '../contract.ts'

/** As the thread of a writer does, without the thread. */
export function appendTo(directory: string, records: readonly LogRecord[]): void {
  makeLogDirectory(directory)
  const limits = { maxBytes: 1e9, retentionMs: 7 * day, retentionBytes: 8e8, reserveBytes: 0 }
  const store = openLocalStore({ directory, ...limits, limitVariable: 'LOG_MAX_BYTES' })
  try {
    store.append(records)
  } finally {
    store.close()
  }
}

/** Everything that a reader delivers to a store that has come to `position`, until it has come to the end or to an error. */
export async function readAllOf(directory: string, position = 0) {
  const store = createStore()
  store.positions.set(0, position)
  const errors: unknown[] = []
  const reader = openLocalLogReader({ directory })
  reader.start(store.handler, readerOptions, (error) => errors.push(error))
  await until(() => store.caughtUp.length > 0 || errors.length > 0)
  await reader.close()
  return { records: store.records, ids: store.ids(), errors }
}
