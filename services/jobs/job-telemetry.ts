/** Metrics of jobs for Prometheus. */
import type { Registry } from 'prom-client'
import { createMeters } from '../runtime/telemetry.ts'
import type { Job, JobProgress, JobResult } from './job.ts'

export function createJobTelemetry(registry: Registry, jobs: readonly Job[]) {
  const { gauge, counter } = createMeters(registry)
  const labels = ['job']
  const running = gauge('rollcall_job_running', '1 while a job is being done.', labels)
  const under = 'so far by the run under way, or by the last one.'
  const pages = gauge('rollcall_job_progress_pages', `Pages read ${under}`, labels)
  const done = gauge('rollcall_job_progress_items', `Items stored ${under}`, labels)
  const skipped = counter('rollcall_job_skipped_items_total', 'Items of answers that could not be read.', labels)
  const ends = counter(
    'rollcall_job_runs_total',
    'Attempts that ended, by how and, where they failed, by the code of the error.',
    ['job', 'outcome', 'code'],
  )
  const lastSuccess = gauge(
    'rollcall_job_last_success_timestamp_seconds',
    'When the last run ended well; 0 = never.',
    labels,
  )
  const skippedBefore = new Map<string, number>()
  for (const { name: job } of jobs) {
    running.set({ job }, 0)
    lastSuccess.set({ job }, 0)
  }

  return {
    began(job: string): void {
      running.set({ job }, 1)
      skippedBefore.delete(job)
    },
    advanced(progress: JobProgress): void {
      const { job } = progress
      pages.set({ job }, progress.pages)
      done.set({ job }, progress.done)
      const before = skippedBefore.get(job) ?? 0
      if (progress.skipped > before) skipped.inc({ job }, progress.skipped - before)
      skippedBefore.set(job, progress.skipped)
    },
    /** `undefined`: even the failure could not be recorded. */
    ended(job: string, result: JobResult | undefined): void {
      running.set({ job }, 0)
      if (result === undefined) return ends.inc({ job, outcome: 'failed', code: 'NOT_RECORDED' })
      const { outcome, error, endedAtMs } = result
      ends.inc({ job, outcome, code: error?.code ?? '' })
      if (outcome === 'succeeded') lastSuccess.set({ job }, endedAtMs / 1000)
    },
    /** When the last run succeeded, from the store. */
    succeeded(job: string, atMs: number | undefined): void {
      if (atMs !== undefined) lastSuccess.set({ job }, atMs / 1000)
    },
  }
}
