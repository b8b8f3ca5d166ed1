/** The losses of a log, for Prometheus: anything but 0 is an alarm. */
import type { Registry } from 'prom-client'
import { createMeters } from '../../../runtime/telemetry.ts'
import { countLost, readLosses } from './losses.ts'

export function addLossMetric(registry: Registry, directory: string): void {
  createMeters(registry).reading(
    'rollcall_log_lost_records',
    'Places of the event log or the spool on this disk that cannot be read any more. How many acknowledged deliveries are lost is the difference of the ledger.',
    () => countLost(readLosses(directory)),
  )
}
