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
  const checkpoint = run.checkpoint === undefined ? '' : JSON.stringify(run.checkpoint)
  await insertRows(client, 'job_runs', [{ ...run, checkpoint, errorCode: '', error: '', note: '', ...end }])
}

function parseCheckpoint(text: string): Checkpoint | undefined {
  return text === '' ? undefined : (JSON.parse(text) as Checkpoint)
}
