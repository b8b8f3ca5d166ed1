/** The facts on how deliveries arrive, for the pages and the API, and the ways to mend those that failed. */
import { readFailedEvent, type BodyRight } from '../reporting/queries/failed.ts'
import type { ReplayResult } from '../schemas/answers/deliveries.ts'
import { readHealth, readSilence } from '../reporting/queries/health.ts'
import { readStanding, type LiveProgress } from '../reporting/statements/standing.ts'
import type { Reader } from '../reporting/read/reader.ts'
import type { Patch } from '../schemas/webhook/fix-body.ts'

export type ReplayRequest = {
  /** Which failed events; `undefined`: all. */
  only: { reason: string } | { ids: readonly string[] } | undefined
  /** A JSON merge patch for each body. */
  fix: Patch | undefined
  dryRun: boolean
}

export type Disk = { name: string; free_bytes: number; total_bytes: number }

export type ArrivalOptions = {
  reader: Reader
  timeZone: string
  clock: () => number
  bodies: BodyRight
  progress?: (() => Promise<LiveProgress>) | undefined
  /** Left out where this process cannot write to the log, or may not. */
  replay?: ((request: ReplayRequest) => Promise<ReplayResult>) | undefined
  /** Left out where the data is on other machines. */
  disks?: (() => Disk[]) | undefined
}

export type Arrival = ReturnType<typeof createArrival>

export function createArrival(options: ArrivalOptions) {
  const { reader, timeZone, clock, bodies, progress, replay, disks } = options
  return {
    standing: () => readStanding(reader, progress),
    silence: () => readSilence(reader, { now: clock(), timeZone }),
    health: () => readHealth(reader, { now: clock(), timeZone, live: progress }),
    held: () => reader.memory.status(),
    /** `null`: none has this id. */
    failedEvent: (id: string) => readFailedEvent(reader, id, { bodies }),
    ...(replay && { replay }),
    ...(disks && { disks }),
  }
}
