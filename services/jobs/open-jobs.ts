/**
 * Runs an installation's jobs, when due and on request. One process at a time: only the owner of the log's first
 * partition runs any, and a new owner continues where the previous one stopped.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { Cron } from 'croner'
import type { Registry } from 'prom-client'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import { createMeters } from '../runtime/telemetry.ts'
import { attempt, readLastRuns } from './attempt.ts'
import { JobBusyError, type Job, type JobProgress, type JobResult } from './job.ts'
import { openRunner, type Task } from '../runtime/runner.ts'

export type JobsOptions = {
  client: ClickHouseClient
  jobs: readonly Job[]
  /** What the process repeats beside them. */
  tasks?: readonly Task[]
  /** Whether this process runs jobs: `() => reader.assigned().includes(0)`. */
  isRunner: () => boolean
  timeZone: string
  logger: Logger
  registry: Registry
  clock?: Clock
  /** How often to check for due jobs. Default 5,000. */
  tickMs?: number
}

export type RunOptions = {
  onProgress?: (progress: JobProgress) => void
  signal?: AbortSignal
}

export type Jobs = ReturnType<typeof openJobs>

/** After a failure: sooner than the schedule says, but less and less often. */
const firstRetryMs = 60_000
const longestRetryMs = 3_600_000
/** A failure that a person must fix needs no hurry. */
const hopeless = new Set(['UNAUTHORIZED', 'FORBIDDEN'])

/** Started by the clock, or by a person who waits. */
type Begun = { mayGoOn: () => boolean; priority: 'sweep' | 'job' }

type State = { due: number | undefined; failures: number; underWay: Promise<JobResult> | undefined }

/** Starts with due jobs at once. */
export function openJobs(options: JobsOptions) {
  const {
    client,
    jobs,
    tasks = [],
    isRunner,
    timeZone,
    logger,
    clock = systemClock,
    tickMs = 5_000,
  } = options
  const telemetry = createJobTelemetry(options.registry, jobs)
  const stopping = new AbortController()
  const states = new Map<string, State>(
    jobs.map(({ name }) => [name, { due: undefined, failures: 0, underWay: undefined }]),
  )
  let wasRunner = false

  const toNext = (job: Job, afterMs: number): number | undefined =>
    job.schedule === 'off' || job.schedule === 'request'
      ? undefined
      : new Cron(job.schedule, { timezone: timeZone }).nextRun(new Date(afterMs))?.getTime()

  /** The jobs that are due first: unfinished runs, and jobs that never ran. */
  async function readDue(job: Job, state: State): Promise<void> {
    if (job.schedule === 'off') return
    const { open, succeeded } = await readLastRuns(client, job.name)
    if (open?.state === 'failed') state.due = open.updatedAtMs + firstRetryMs
    else if (open !== undefined || (succeeded === undefined && job.schedule !== 'request')) state.due = 0
    else state.due = toNext(job, succeeded?.startedAtMs ?? 0)
    telemetry.succeeded(job.name, succeeded?.updatedAtMs)
  }

  function begin(
    job: Job,
    state: State,
    { signal, onProgress }: RunOptions,
    { mayGoOn, priority }: Begun,
  ): Promise<JobResult> {
    telemetry.began(job.name)
    const doing = attempt({
      client,
      job,
      signal: AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])]),
      isRunner: mayGoOn,
      now: () => clock.now(),
      priority,
      onProgress,
    })
      .then((result) => {
        state.failures = result.outcome === 'failed' ? state.failures + 1 : 0
        state.due = toDueAfter(job, state, result)
        telemetry.ended(job.name, result)
        logEnd(logger, result)
        return result
      })
      .catch((error: unknown) => {
        state.failures++
        state.due = clock.now() + firstRetryMs
        telemetry.ended(job.name, undefined)
        logger.error(
          { err: error, job: job.name },
          'What a job has done could not be recorded; it will be done again',
        )
        throw error
      })
      .finally(() => (state.underWay = undefined))
    state.underWay = doing
    // The caller gets the error; the schedule has logged it.
    doing.catch(() => undefined)
    return doing
  }

  function toDueAfter(job: Job, { failures }: State, { outcome, error }: JobResult): number | undefined {
    const next = toNext(job, clock.now())
    if (outcome === 'succeeded' || job.schedule === 'off') return next
    if (outcome === 'stopped') return clock.now()
    const retryMs = hopeless.has(error?.code ?? '')
      ? longestRetryMs
      : firstRetryMs * 2 ** Math.min(10, failures - 1)
    return Math.min(next ?? Infinity, clock.now() + Math.min(longestRetryMs, retryMs))
  }

  async function tick(): Promise<void> {
    const may = isRunner()
    if (may && !wasRunner) {
      for (const job of jobs) await readDue(job, states.get(job.name) as State)
    }
    wasRunner = may
    if (!may) return
    for (const job of jobs) {
      const state = states.get(job.name) as State
      const isDue = (state.due ?? Infinity) <= clock.now() || (state.failures === 0 && job.isDue?.() === true)
      if (!isDue || state.underWay !== undefined) continue
      void begin(job, state, {}, { mayGoOn: isRunner, priority: 'sweep' })
    }
  }

  async function schedule(): Promise<void> {
    await tick().catch((error: unknown) => {
      wasRunner = false
      logger.error({ err: error }, 'What jobs are due could not be read; it will be tried again')
    })
  }

  const runner = openRunner({
    tasks: [{ name: 'schedule', everyMs: tickMs, isEverywhere: true, run: schedule }, ...tasks],
    isRunner,
    onError: (error, task) =>
      logger.error({ err: error, task }, 'A recurring task failed; it will be tried again'),
    sleep: clock.sleep,
  })

  function find(name: string): { job: Job; state: State } {
    const job = jobs.find((one) => one.name === name)
    const state = states.get(name)
    if (job === undefined || state === undefined) throw new RangeError(`There is no job ${name}`)
    return { job, state }
  }
  const forPerson: Begun = { mayGoOn: () => true, priority: 'job' }

  return {
    /**
     * Runs it now, whichever process is the runner. Continues an unfinished run. Rejects with a `JobBusyError` while it is
     * running.
     */
    async run(name: string, runOptions: RunOptions = {}): Promise<JobResult> {
      const { job, state } = find(name)
      if (state.underWay !== undefined)
        throw new JobBusyError(`${job.title} is running already. Try again when it has ended.`)
      return begin(job, state, runOptions, forPerson)
    },
    /** The same, without waiting for its end. `false`: it is running. */
    start(name: string): boolean {
      const { job, state } = find(name)
      const isFree = state.underWay === undefined
      if (isFree) void begin(job, state, {}, forPerson)
      return isFree
    },
    wake: runner.wake,
    /** Stops running jobs at their next step; they continue at the next start. */
    async close(): Promise<void> {
      stopping.abort()
      await runner.close()
      await Promise.allSettled([...states.values()].flatMap(({ underWay }) => underWay ?? []))
    },
  }
}

function logEnd(
  logger: Logger,
  { job, outcome, done, skipped, pages, resumed, error, note }: JobResult,
): void {
  const fields = { job, done, skipped, pages, resumed }
  if (outcome === 'failed')
    logger.error({ ...fields, code: error?.code, reason: error?.message }, 'A job failed')
  else if (outcome === 'stopped') logger.info(fields, 'A job was stopped; it goes on at the next start')
  else logger.info({ ...fields, ...(note !== '' && { note }) }, 'A job is done')
}

/** Metrics of jobs for Prometheus. */
function createJobTelemetry(registry: Registry, jobs: readonly Job[]) {
  const { gauge, counter } = createMeters(registry)
  const labels = ['job']
  const running = gauge('rollcall_job_running', '1 while a job is being done.', labels)
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
  for (const { name: job } of jobs) {
    running.set({ job }, 0)
    lastSuccess.set({ job }, 0)
  }

  return {
    began: (job: string) => running.set({ job }, 1),
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
