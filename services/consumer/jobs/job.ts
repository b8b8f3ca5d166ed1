/**
 * Work that is done now and then, in steps, for as long as it takes: pulls, sweeps, audits. A run remembers how far it has
 * come; whatever ends an attempt - a failure, a crash, another process that takes over - the next one goes on from there.
 */

/** Where a run goes on; its form is the job's own affair. */
export type Checkpoint = Record<string, unknown>

export type Job = {
  /** Kebab-case; what the owner calls it by. */
  name: string
  /** What it does, for the owner. */
  title: string
  /** Cron pattern in the reporting zone; `undefined`: only when asked. */
  schedule: string | undefined
  run(context: JobContext): Promise<JobEnd>
}

export type JobContext = {
  /** Of the attempt before; `undefined`: from the beginning. */
  checkpoint: Checkpoint | undefined
  /** When the run began, epoch ms: in its first attempt. */
  startedAtMs: number
  /** What the last run that succeeded left. */
  previous: { startedAtMs: number; checkpoint: Checkpoint } | undefined
  /** Aborted when the attempt must end: stopped, or this process is no longer the one that does jobs. */
  signal: AbortSignal
  /** How urgent its calls to the platform are: nobody waits for what the clock began. */
  priority: 'sweep' | 'job'
  now(): number
  /** A step is stored: counts it and remembers where to go on. Rejects when this attempt must end. */
  advance(step: { done: number; skipped?: number; checkpoint: Checkpoint; of?: number }): Promise<void>
}

export type JobEnd = {
  /** Kept for the next run (`previous.checkpoint`). */
  checkpoint?: Checkpoint
  /** What the owner should know although it went well. */
  note?: string
}

export type JobProgress = {
  job: string
  pages: number
  done: number
  skipped: number
  /** How much there is in all, where that is known. */
  of: number | undefined
}

export type JobResult = JobProgress & {
  runId: string
  outcome: 'succeeded' | 'failed' | 'stopped'
  startedAtMs: number
  endedAtMs: number
  /** Whether it went on with what an earlier attempt had left. */
  resumed: boolean
  /** Why it failed. `code` is that of the error, such as a `PlatformErrorCode`. */
  error: { code: string; message: string } | undefined
  note: string
}

/** The job is being done already, here or by another process. */
export class JobBusyError extends Error {
  override readonly name = 'JobBusyError'
  readonly code = 'JOB_BUSY'
}
