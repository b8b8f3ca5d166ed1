/** The store's facts on how deliveries arrive, as metrics: whether the ledger adds up, and whether a silence is usual. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Registry } from 'prom-client'
import { judgeSilence, toWeeksBefore, type SilenceFacts } from '../../schemas/silence.ts'
import { toDateTime } from '../clickhouse/statements.ts'
import { createMeters } from '../runtime/telemetry.ts'
import { select } from './statements.ts'

type StoreWatchOptions = {
  client: ClickHouseClient
  timeZone: string
  registry: Registry
  /** Epoch ms; default the machine's clock. */
  now?: () => number
}

/** To be called about once a minute, by one process of all. */
export function createStoreWatch({ client, timeZone, registry, now = Date.now }: StoreWatchOptions) {
  const { gauge } = createMeters(registry)
  const difference = gauge(
    'rollcall_ledger_difference',
    'Deliveries that are lost, or by which the ledger does not add up. 0 if all is well.',
  )
  const waiting = gauge(
    'rollcall_ledger_waiting_records',
    'Acknowledged deliveries in the log or in a spool that are not stored yet, as the ledger has it.',
  )
  const silent = gauge(
    'rollcall_silence_unusual',
    '1 while no challenge event comes although at this time of the week there always were some; 0 otherwise.',
  )
  const last = gauge(
    'rollcall_silence_seconds',
    'Time since the last challenge event by webhook; 0 before the first one.',
  )
  let isWatching = false

  return {
    async look(): Promise<void> {
      isWatching = true
      const [sums] = await select<{ waiting: number; lost: number; difference: number }>(client, 'ledger')
      difference.set((sums?.lost ?? 0) + Math.abs(sums?.difference ?? 0))
      waiting.set(sums?.waiting ?? 0)
      const [facts] = await select<SilenceFacts>(client, 'silence', {
        now: toDateTime(now()),
        weeks_before: toWeeksBefore(timeZone, now()),
      })
      if (facts === undefined) return
      const silence = judgeSilence(facts)
      silent.set(silence.kind === 'broken' ? 1 : 0)
      last.set(silence.kind === 'nothing_yet' ? 0 : (now() - silence.lastAt) / 1000)
    },
    /** Another process watches now: this one no longer knows. */
    leave(): void {
      if (!isWatching) return
      isWatching = false
      for (const gauge of [difference, waiting, silent, last]) gauge.reset()
    },
  }
}
