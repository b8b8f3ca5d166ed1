/** Metrics of what is cached in memory, for Prometheus. */
import type { Registry } from 'prom-client'
import type { MemoryStatus } from '../reporting/columns/follow.ts'
import { createMeters } from '../services/runtime/telemetry.ts'

export function addMemoryMetrics(registry: Registry, status: () => MemoryStatus): void {
  const { reading } = createMeters(registry)
  const since = 'Closed versions that ended before this Unix time are not cached. 0: all are, or nothing is.'
  reading(
    'rollcall_memory_versions',
    'Versions of assignments that are cached in memory.',
    () => status().versions,
  )
  reading('rollcall_memory_bytes', 'Memory of these versions.', () => status().bytes)
  reading('rollcall_memory_since_seconds', since, () => status().since / 1000)
  reading(
    'rollcall_memory_queries_read',
    'Queries that read their rows from the store.',
    () => status().readQuestions,
  )
}
