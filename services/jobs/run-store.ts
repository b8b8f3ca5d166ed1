/** The runs of jobs in ClickHouse: what lets a run continue after any interruption. */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../clickhouse/insert-rows.ts'
import type { Checkpoint } from './job.ts'
import { select } from './statements.ts'

export type Run = {
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

export type RunEnd = { errorCode: string; error: string; note: string }

export type LastRuns = {
  /** The latest run, unless it succeeded. */
  open: Run | undefined
  succeeded: Run | undefined
}

export async function readLastRuns(client: ClickHouseClient, job: string): Promise<LastRuns> {
  const rows = await select<Omit<Run, 'checkpoint'> & { checkpoint: string }>(client, 'last-runs', { job })
  const runs = rows.map((row): Run => ({ ...row, checkpoint: parseCheckpoint(row.checkpoint) }))
  const succeeded = runs.find(({ state }) => state === 'succeeded')
  const other = runs.find(({ state }) => state !== 'succeeded')
  const isLatest = other !== undefined && other.startedAtMs >= (succeeded?.startedAtMs ?? 0)
  return { open: isLatest ? other : undefined, succeeded }
}

export async function writeRun(client: ClickHouseClient, run: Run, end: Partial<RunEnd> = {}): Promise<void> {
  await insertRows(client, 'job_runs', [
    {
      job: run.job,
      run_id: run.runId,
      started_at: run.startedAtMs,
      updated_at: run.updatedAtMs,
      state: run.state,
      attempts: run.attempts,
      done: run.done,
      skipped: run.skipped,
      pages: run.pages,
      checkpoint: run.checkpoint === undefined ? '' : JSON.stringify(run.checkpoint),
      error_code: end.errorCode ?? '',
      error: end.error ?? '',
      note: end.note ?? '',
    },
  ])
}

function parseCheckpoint(text: string): Checkpoint | undefined {
  return text === '' ? undefined : (JSON.parse(text) as Checkpoint)
}
