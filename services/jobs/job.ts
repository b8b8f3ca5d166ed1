/**
 * Recurring work in steps: pulls, sweeps, audits. A run remembers its progress; after a failure, a crash or a takeover
 * the next attempt continues from there.
 */

/** Where a run continues; the job defines its form. */
export type Checkpoint = Record<string, unknown>

export type Job = {
  /** Kebab-case; the name that the owner uses. */
  name: string
  title: string
  /**
   * Cron pattern in the reporting zone. `off`: only on request. `request`: also only on request, but an unfinished run continues by
   * itself, after a failure or a restart.
   */
  schedule: string
  /** Also runs as soon as this returns true. */
  isDue?(): boolean
  run(context: JobContext): Promise<JobEnd>
}

export type JobContext = {
  /** Where the previous attempt ended; `undefined`: from the beginning. */
  checkpoint: Checkpoint | undefined
  /** When the run began, epoch ms: in its first attempt. */
  startedAtMs: number
  /** Of the last successful run. */
  previous: Checkpoint | undefined
  /** Aborted when the attempt must end: on a stop, or when this process no longer runs jobs. */
  signal: AbortSignal
  /** How urgent its calls to the platform are: nobody waits for scheduled ones. */
  priority: 'sweep' | 'job'
  /** A step is stored: counts it and saves the progress. Rejects when this attempt must end. */
  advance(step: { done: number; skipped?: number; checkpoint: Checkpoint; of?: number }): Promise<void>
}

export type JobEnd = {
  /** Kept for the next run (`previous`). */
  checkpoint?: Checkpoint
  note?: string
}

export type JobProgress = {
  job: string
  pages: number
  done: number
  skipped: number
  of: number | undefined
}

export type JobResult = JobProgress & {
  runId: string
  outcome: 'succeeded' | 'failed' | 'stopped'
  startedAtMs: number
  endedAtMs: number
  resumed: boolean
  /** Why it failed. `code` is that of the error, such as a `PlatformErrorCode`. */
  error: { code: string; message: string } | undefined
  note: string
}

export class JobBusyError extends Error {
  override readonly name = 'JobBusyError'
  readonly code = 'JOB_BUSY'
}

/** A whole number of a checkpoint, such as the page to continue with; 0 where there is none. */
export function readCount(checkpoint: Checkpoint | undefined, name: string): number {
  const value = checkpoint?.[name]
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0
}
