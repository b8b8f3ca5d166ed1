/** What the Health page does and shows beside what the store holds. */
import { statfsSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Disk, ReplayRequest, ReplayResult } from '../../dashboards/arrival.ts'
import { replayFailed } from '../jobs/replay/replay-failed.ts'
import type { LogRecord } from '../event-log/event-log.ts'

type ReplayDeps = { client: ClickHouseClient; append: (records: LogRecord[]) => Promise<void> }

export function toReplay(deps: ReplayDeps): (request: ReplayRequest) => Promise<ReplayResult> {
  return (request) => replayFailed({ ...deps, ...request })
}

export function readDisk(directory: string): Disk {
  const { bsize, bavail, blocks } = statfsSync(directory)
  return { name: 'the data directory', free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
