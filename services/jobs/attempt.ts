/** One attempt at a run: from where the previous one ended. */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { describeError, toSafeMessage } from '../runtime/describe-error.ts'
import type { Job, JobProgress, JobResult } from './job.ts'
import { readLastRuns, writeRun, type Run, type RunEnd } from './run-store.ts'

export type AttemptOptions = {
  client: ClickHouseClient
  job: Job
  signal: AbortSignal
  isRunner: () => boolean
  now: () => number
  priority: 'sweep' | 'job'
  /** Starts over, whatever an earlier attempt has left. */
  restart?: boolean
  onProgress?: ((progress: JobProgress) => void) | undefined
}

/** Older runs start over: their first reads are out of date. */
const oldestResumedMs = 48 * 3_600_000

class StoppedError extends Error {
  override readonly name = 'StoppedError'
  readonly code = 'STOPPED'
}

/** Never throws for a failure of the job: that is a result. Throws when runs cannot be read or written. */
export async function attempt(options: AttemptOptions): Promise<JobResult> {
  const { client, job, signal, isRunner, now, priority, onProgress } = options
  const { open, succeeded } = await readLastRuns(client, job.name)
  const resumed =
    !options.restart && open !== undefined && now() - open.startedAtMs < oldestResumedMs ? open : undefined
  const startedAtMs = resumed?.startedAtMs ?? now()
  let of: number | undefined
  let run: Run = {
    job: job.name,
    runId: resumed?.runId ?? randomUUID(),
    startedAtMs,
    updatedAtMs: 0,
    state: 'running',
    attempts: (resumed?.attempts ?? 0) + 1,
    ...toCounts(resumed),
    checkpoint: resumed?.checkpoint,
  }
  let last = resumed?.updatedAtMs ?? 0

  const write = async (changes: Partial<Run>, end?: Partial<RunEnd>) => {
    // The later row counts, also within a millisecond or after a clock was set back.
    last = Math.max(now(), last + 1)
    run = { ...run, ...changes, updatedAtMs: last }
    await writeRun(client, run, end)
  }
  const toResult = (outcome: JobResult['outcome'], error: JobResult['error'], note = ''): JobResult => ({
    job: job.name,
    runId: run.runId,
    outcome,
    startedAtMs,
    endedAtMs: last,
    resumed: resumed !== undefined,
    ...toCounts(run),
    of,
    error,
    note,
  })

  await write({})
  try {
    const end = await job.run({
      checkpoint: run.checkpoint,
      startedAtMs,
      previous: succeeded && { startedAtMs: succeeded.startedAtMs, checkpoint: succeeded.checkpoint ?? {} },
      signal,
      priority,
      now,
      async advance(step) {
        if (signal.aborted || !isRunner()) throw new StoppedError('This process does jobs no longer')
        of = step.of ?? of
        await write({
          done: run.done + step.done,
          skipped: run.skipped + (step.skipped ?? 0),
          pages: run.pages + 1,
          checkpoint: step.checkpoint,
        })
        onProgress?.({ job: job.name, ...toCounts(run), of })
      },
    })
    await write({ state: 'succeeded', checkpoint: end.checkpoint }, { note: end.note ?? '' })
    return toResult('succeeded', undefined, end.note)
  } catch (thrown) {
    // A stopped run is neither done nor failed: it stays as it is for the next attempt.
    if (signal.aborted || (thrown as { code?: unknown }).code === 'STOPPED') return toResult('stopped', undefined)
    const error = toFailure(thrown)
    await write({ state: 'failed' }, { errorCode: error.code, error: error.message })
    return toResult('failed', error)
  }
}

function toCounts({ done = 0, skipped = 0, pages = 0 }: Partial<Run> = {}) {
  return { done, skipped, pages }
}

/** Kept in the store and shown to people, so without the data that an error may quote. */
function toFailure(thrown: unknown): { code: string; message: string } {
  return { code: describeError(thrown).code ?? 'INTERNAL', message: toSafeMessage(thrown) }
}
