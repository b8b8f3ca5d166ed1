/** Metrics of jobs for Prometheus. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Job, JobProgress, JobResult } from './job.ts'

export type JobTelemetry = {
  began(job: string): void
  advanced(progress: JobProgress): void
  /** `undefined`: even the failure could not be recorded. */
  ended(job: string, result: JobResult | undefined): void
  /** When the last run succeeded, from the store. */
  succeeded(job: string, atMs: number | undefined): void
}

export function createJobTelemetry(registry: Registry, jobs: readonly Job[]): JobTelemetry {
  const registers = [registry]
  const labelNames = ['job']
  const running = new Gauge({
    name: 'rollcall_job_running',
    help: '1 while a job is being done.',
    labelNames,
    registers,
  })
  const pages = new Gauge({
    name: 'rollcall_job_progress_pages',
    help: 'Pages read so far by the run under way, or by the last one.',
    labelNames,
    registers,
  })
  const done = new Gauge({
    name: 'rollcall_job_progress_items',
    help: 'Items stored so far by the run under way, or by the last one.',
    labelNames,
    registers,
  })
  const skipped = new Counter({
    name: 'rollcall_job_skipped_items_total',
    help: 'Items of answers that could not be read.',
    labelNames,
    registers,
  })
  const ends = new Counter({
    name: 'rollcall_job_runs_total',
    help: 'Attempts that ended, by how and, where they failed, by the code of the error.',
    labelNames: ['job', 'outcome', 'code'],
    registers,
  })
  const lastSuccess = new Gauge({
    name: 'rollcall_job_last_success_timestamp_seconds',
    help: 'When the last run ended well; 0 = never.',
    labelNames,
    registers,
  })
  const skippedBefore = new Map<string, number>()
  for (const { name: job } of jobs) {
    running.set({ job }, 0)
    lastSuccess.set({ job }, 0)
  }

  return {
    began(job) {
      running.set({ job }, 1)
      skippedBefore.delete(job)
    },
    advanced(progress) {
      const { job } = progress
      pages.set({ job }, progress.pages)
      done.set({ job }, progress.done)
      const before = skippedBefore.get(job) ?? 0
      if (progress.skipped > before) skipped.inc({ job }, progress.skipped - before)
      skippedBefore.set(job, progress.skipped)
    },
    ended(job, result) {
      running.set({ job }, 0)
      if (result === undefined) return ends.inc({ job, outcome: 'failed', code: 'NOT_RECORDED' })
      const { outcome, error, endedAtMs } = result
      ends.inc({ job, outcome, code: error?.code ?? '' })
      if (outcome === 'succeeded') lastSuccess.set({ job }, endedAtMs / 1000)
    },
    succeeded(job, atMs) {
      if (atMs !== undefined) lastSuccess.set({ job }, atMs / 1000)
    },
  }
}
