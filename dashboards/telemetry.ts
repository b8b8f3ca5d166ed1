/** Metrics of what is cached in memory, for Prometheus. */
import { Counter, type Registry } from 'prom-client'
import type { MemoryStatus } from '../reporting/columns/follow.ts'
import { createMeters } from '../services/runtime/telemetry.ts'

export function addMemoryMetrics(registry: Registry, status: () => MemoryStatus): void {
  const { reading } = createMeters(registry)
  reading(
    'rollcall_memory_versions',
    'Versions of assignments that are cached in memory.',
    () => status().versions,
  )
  reading('rollcall_memory_bytes', 'Memory of these versions.', () => status().bytes)
  const since = 'Closed versions that ended before this Unix time are not cached. 0: all are, or nothing is.'
  reading('rollcall_memory_since_seconds', since, () => status().since / 1000)
  new Counter({
    name: 'rollcall_memory_queries_read_total',
    help: 'Queries that read their rows from the store.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(status().readQuestions)
    },
  })
  new Counter({
    name: 'rollcall_memory_full_readings_total',
    help: 'How often a table was read as a whole.',
    labelNames: ['table'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [table, n] of Object.entries(status().fullReadings)) this.inc({ table }, n)
    },
  })
}
