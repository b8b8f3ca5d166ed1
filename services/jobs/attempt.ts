/** One attempt at a run: from where the previous one ended. */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { toLaterTime } from '../clickhouse/statements.ts'
import { describeError, toSafeMessage } from '../runtime/describe-error.ts'
import type { Checkpoint, Job, JobProgress, JobResult } from './job.ts'
import { select } from './statements.ts'

export type AttemptOptions = {
  client: ClickHouseClient
  job: Job
  signal: AbortSignal
  isRunner: () => boolean
  now: () => number
  priority: 'sweep' | 'job'
  onProgress?: ((progress: JobProgress) => void) | undefined
}

/** Older runs start over: their first reads are out of date. */
const oldestResumedMs = 48 * 3_600_000

/** Never throws for a failure of the job: that is a result. Throws when runs cannot be read or written. */
export async function attempt(options: AttemptOptions): Promise<JobResult> {
  const { client, job, signal, isRunner, now, priority, onProgress } = options
  const { open, succeeded } = await readLastRuns(client, job.name)
  const resumed = open !== undefined && now() - open.startedAtMs < oldestResumedMs ? open : undefined
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

  const write = async (
    changes: Partial<Run>,
    end: { errorCode?: string; error?: string; note?: string } = {},
  ) => {
    last = toLaterTime(now(), last)
    run = { ...run, ...changes, updatedAtMs: last }
    const checkpoint = run.checkpoint === undefined ? '' : JSON.stringify(run.checkpoint)
    await insertRows(client, 'job_runs', [{ ...run, checkpoint, errorCode: '', error: '', note: '', ...end }])
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
      previous: succeeded?.checkpoint,
      signal,
      priority,
      async advance(step) {
        if (signal.aborted || !isRunner())
          throw Object.assign(new Error('This process does jobs no longer'), { code: 'STOPPED' })
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
    if (signal.aborted || (thrown as { code?: unknown }).code === 'STOPPED')
      return toResult('stopped', undefined)
    // Kept in the store and shown to people, so without the data that an error may quote.
    const error = { code: describeError(thrown).code ?? 'INTERNAL', message: toSafeMessage(thrown) }
    await write({ state: 'failed' }, { errorCode: error.code, error: error.message })
    return toResult('failed', error)
  }
}

function toCounts({ done = 0, skipped = 0, pages = 0 }: Partial<Run> = {}) {
  return { done, skipped, pages }
}

// The runs of jobs in ClickHouse: what lets a run continue after any interruption.

type Run = {
  job: string
  runId: string
  startedAtMs: number
  updatedAtMs: number
  state: 'running' | 'succeeded' | 'failed'
  attempts: number
  done: number
  skipped: number
  pages: number
  checkpoint: Checkpoint | undefined
}

type LastRuns = {
  /** The latest run, unless it succeeded. */
  open: Run | undefined
  succeeded: Run | undefined
}

export async function readLastRuns(client: ClickHouseClient, job: string): Promise<LastRuns> {
  const rows = await select<Omit<Run, 'checkpoint'> & { checkpoint: string }>(client, 'last-runs', { job })
  const toCheckpoint = (text: string) => (text === '' ? undefined : (JSON.parse(text) as Checkpoint))
  const runs = rows.map((row): Run => ({ ...row, checkpoint: toCheckpoint(row.checkpoint) }))
  const succeeded = runs.find(({ state }) => state === 'succeeded')
  const other = runs.find(({ state }) => state !== 'succeeded')
  const isLatest = other !== undefined && other.startedAtMs >= (succeeded?.startedAtMs ?? 0)
  return { open: isLatest ? other : undefined, succeeded }
}
