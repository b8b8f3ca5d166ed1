/** A reader in a process of its own, for tests: stops itself within its first batch, and says afterwards whether the batch is stale. */
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import type { KafkaSettings } from '../../../services/event-log/kafka/settings.ts'
import { logger } from './kafka.ts'

const settings = JSON.parse(process.argv[2] as string) as KafkaSettings
let hasStopped = false

openKafkaLogReader({ settings, logger, sessionTimeoutMs: Number(process.argv[3]) }).start(
  {
    resumeFrom: () => Promise.resolve(0),
    async handle(batch) {
      if (hasStopped) return
      hasStopped = true
      process.stdout.write(`begin ${batch.partition}\n`)
      process.kill(process.pid, 'SIGSTOP')
      // Without a word from the broker: the clock alone must say it.
      process.stdout.write(`${batch.isStale() ? 'stale' : 'not stale'} ${batch.partition}\n`)
      throw new Error('Not stored')
    },
    caughtUp: () => Promise.resolve(),
  },
  { maxBatchRecords: 1_000, maxBatchBytes: 4_000_000, minBatchIntervalMs: 0 },
  () => {},
)
