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

type State = {
  job: Job
  due: number | undefined
  failures: number
  underWay: Promise<JobResult> | undefined
}

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
  const meters = createJobMeters(options.registry, jobs)
  const stopping = new AbortController()
  const states = new Map<string, State>(
    jobs.map((job) => [job.name, { job, due: undefined, failures: 0, underWay: undefined }]),
  )
  let wasRunner = false

  const toNext = ({ schedule }: Job, afterMs: number): number | undefined =>
    schedule === 'off' || schedule === 'request'
      ? undefined
      : new Cron(schedule, { timezone: timeZone }).nextRun(new Date(afterMs))?.getTime()

  /** The jobs that are due first: unfinished runs, and jobs that never ran. */
  async function readDue(state: State): Promise<void> {
    const { job } = state
    if (job.schedule === 'off') return
    const { open, succeeded } = await readLastRuns(client, job.name)
    if (open?.state === 'failed') state.due = open.updatedAtMs + firstRetryMs
    else if (open !== undefined || (succeeded === undefined && job.schedule !== 'request')) state.due = 0
    else state.due = toNext(job, succeeded?.startedAtMs ?? 0)
    if (succeeded !== undefined) meters.lastSuccess.set({ job: job.name }, succeeded.updatedAtMs / 1000)
  }

  /** `isForPerson`: someone waits, whichever process is the runner. */
  async function runNow(state: State, { signal, onProgress }: RunOptions, isForPerson: boolean) {
    const { job } = state
    meters.running.set({ job: job.name }, 1)
    try {
      const result = await attempt({
        client,
        job,
        signal: AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])]),
        isRunner: isForPerson ? () => true : isRunner,
        now: () => clock.now(),
        priority: isForPerson ? 'job' : 'sweep',
        onProgress,
      })
      const { outcome, error, endedAtMs } = result
      state.failures = outcome === 'failed' ? state.failures + 1 : 0
      state.due = toDueAfter(state, result)
      meters.ends.inc({ job: job.name, outcome, code: error?.code ?? '' })
      if (outcome === 'succeeded') meters.lastSuccess.set({ job: job.name }, endedAtMs / 1000)
      logEnd(logger, result)
      return result
    } catch (error) {
      state.failures++
      state.due = clock.now() + firstRetryMs
      meters.ends.inc({ job: job.name, outcome: 'failed', code: 'NOT_RECORDED' })
      const message = 'What a job has done could not be recorded; it will be done again'
      logger.error({ err: error, job: job.name }, message)
      throw error
    } finally {
      meters.running.set({ job: job.name }, 0)
      state.underWay = undefined
    }
  }

  function begin(state: State, runOptions: RunOptions, isForPerson: boolean): Promise<JobResult> {
    const doing = runNow(state, runOptions, isForPerson)
    state.underWay = doing
    // The caller gets the error; it has been logged.
    doing.catch(() => undefined)
    return doing
  }

  function toDueAfter({ job, failures }: State, { outcome, error }: JobResult): number | undefined {
    const next = toNext(job, clock.now())
    if (outcome === 'succeeded' || job.schedule === 'off') return next
    if (outcome === 'stopped') return clock.now()
    const retryMs = hopeless.has(error?.code ?? '')
      ? longestRetryMs
      : firstRetryMs * 2 ** Math.min(10, failures - 1)
    return Math.min(next ?? Infinity, clock.now() + Math.min(longestRetryMs, retryMs))
  }

  async function schedule(): Promise<void> {
    try {
      const may = isRunner()
      if (may && !wasRunner) for (const state of states.values()) await readDue(state)
      wasRunner = may
      if (!may) return
    } catch (error) {
      wasRunner = false
      logger.error({ err: error }, 'What jobs are due could not be read; it will be tried again')
      return
    }
    for (const state of states.values()) {
      const { job, due = Infinity, failures, underWay } = state
      const isDue = due <= clock.now() || (failures === 0 && job.isDue?.() === true)
      if (isDue && underWay === undefined) void begin(state, {}, false)
    }
  }

  const runner = openRunner({
    tasks: [{ name: 'schedule', everyMs: tickMs, isEverywhere: true, run: schedule }, ...tasks],
    isRunner,
    onError: (error, task) =>
      logger.error({ err: error, task }, 'A recurring task failed; it will be tried again'),
    sleep: clock.sleep,
  })

  function find(name: string): State {
    const state = states.get(name)
    if (state === undefined) throw new RangeError(`There is no job ${name}`)
    return state
  }

  return {
    /** Runs it now. Continues an unfinished run. Rejects with a `JobBusyError` while it is running. */
    async run(name: string, runOptions: RunOptions = {}): Promise<JobResult> {
      const state = find(name)
      if (state.underWay !== undefined)
        throw new JobBusyError(`${state.job.title} is running already. Try again when it has ended.`)
      return begin(state, runOptions, true)
    },
    /** The same, without waiting for its end. `false`: it is running. */
    start(name: string): boolean {
      const state = find(name)
      if (state.underWay !== undefined) return false
      void begin(state, {}, true)
      return true
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

function createJobMeters(registry: Registry, jobs: readonly Job[]) {
  const { gauge, counter } = createMeters(registry)
  const running = gauge('rollcall_job_running', '1 while a job is being done.', ['job'])
  const ends = counter(
    'rollcall_job_runs_total',
    'Attempts that ended, by how and, where they failed, by the code of the error.',
    ['job', 'outcome', 'code'],
  )
  const lastSuccess = gauge(
    'rollcall_job_last_success_timestamp_seconds',
    'When the last run ended well; 0 = never.',
    ['job'],
  )
  for (const { name: job } of jobs) for (const meter of [running, lastSuccess]) meter.set({ job }, 0)
  return { running, ends, lastSuccess }
}
