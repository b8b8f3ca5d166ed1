/** What the spool tells about itself, for Prometheus: what is in it is acknowledged and not yet in the event log. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { SpoolStats } from './spool.ts'

export function addSpoolMetrics(registry: Registry, stats: () => Promise<SpoolStats>): void {
  const registers = [registry]
  const bytes = new Gauge({
    name: 'rollcall_spool_bytes',
    help: 'Bytes of the deliveries in the spool.',
    registers,
  })
  const oldest = new Gauge({
    name: 'rollcall_spool_oldest_seconds',
    help: 'Age of the oldest delivery in the spool, from its receipt; 0: the spool is empty.',
    registers,
  })
  const isSpooling = new Gauge({
    name: 'rollcall_spool_active',
    help: '1 while the event log does not take deliveries and the spool takes them instead.',
    registers,
  })
  const spooled = new Counter({
    name: 'rollcall_spool_deliveries_total',
    help: 'Deliveries that were acknowledged from the spool, and those of them handed on to the event log.',
    labelNames: ['step'],
    registers,
  })
  new Gauge({
    name: 'rollcall_spool_records',
    help: 'Deliveries in the spool: acknowledged, and not yet in the event log.',
    registers,
    async collect() {
      const now = await stats()
      this.set(now.records)
      bytes.set(now.bytes)
      oldest.set(now.oldestMs / 1000)
      isSpooling.set(now.isSpooling ? 1 : 0)
      spooled.reset()
      spooled.inc({ step: 'spooled' }, now.spooled)
      spooled.inc({ step: 'handed_on' }, now.drained)
    },
  })
}
