/** What a log has lost, for Prometheus: anything but 0 is an alarm. */
import { Gauge, type Registry } from 'prom-client'
import { countLost, readLosses } from './losses.ts'

export function addLossMetric(registry: Registry, directory: string): void {
  new Gauge({
    name: 'rollcall_log_lost_records',
    help: 'Places of the event log or the spool on this disk that cannot be read any more. How many acknowledged deliveries are lost is the difference of the ledger.',
    registers: [registry],
    collect() {
      this.set(countLost(readLosses(directory)))
    },
  })
}
