/** A local log from its files to its files: opened, used and closed again. */
import type { LogRecord } from '../../../services/event-log/event-log.ts'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import { openLocalStore } from '../../../services/event-log/local/store.ts'
import { makeLogDirectory } from '../../../services/event-log/local/table.ts'
import { day } from '../../support/data/records.ts'
import { until } from '../../support/wait.ts'
import { createStore, readerOptions } from '../contract.ts'

/** As the thread of a writer does, without the thread. */
export async function appendTo(directory: string, records: readonly LogRecord[]): Promise<void> {
  makeLogDirectory(directory)
  const limits = { maxBytes: 1e9, retentionMs: 7 * day, retentionBytes: 8e8, shrinks: false, reserveBytes: 0 }
  const store = openLocalStore({ directory, ...limits, limitVariable: 'LOG_MAX_BYTES' })
  store.append(records)
  store.close()
}

/** Everything that a reader delivers to a store that has come to `position`, until it has come to the end. */
export async function readAllOf(directory: string, position = 0) {
  const store = createStore()
  store.positions.set(0, position)
  const losses: number[] = []
  const errors: unknown[] = []
  const reader = openLocalLogReader({ directory, onLoss: ({ records }) => losses.push(records) })
  reader.start(store.handler, readerOptions, (error) => errors.push(error))
  await until(() => store.caughtUp.length > 0 || errors.length > 0)
  await reader.close()
  const whole = store.records.filter(({ isDamaged }) => !isDamaged)
  return {
    ids: whole.map(({ eventId }) => eventId),
    damagedIds: store.records.filter(({ isDamaged }) => isDamaged).map(({ eventId }) => eventId),
    lost: store.batches.reduce((sum, batch) => sum + (batch.lost ?? 0), 0),
    losses,
    errors,
  }
}
