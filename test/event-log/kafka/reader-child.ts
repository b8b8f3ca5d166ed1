/** A reader in a process of its own, for tests that stop it: takes a second for each batch, and says what became of it. */
import { setTimeout as pause } from 'node:timers/promises'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import type { KafkaSettings } from '../../../services/event-log/kafka/settings.ts'
import { logger } from './kafka.ts'

const settings = JSON.parse(process.argv[2] as string) as KafkaSettings
const sessionTimeoutMs = Number(process.argv[3])
const say = (line: string) => process.stdout.write(`${line}\n`)

openKafkaLogReader({ settings, logger, sessionTimeoutMs }).start(
  {
    resumeFrom: () => Promise.resolve(0),
    async handle(batch) {
      say(`begin ${batch.partition}`)
      let last = Date.now()
      for (let step = 0; step < 10; step++) {
        await pause(100)
        const wasStopped = Date.now() - last > sessionTimeoutMs
        last = Date.now()
        if (batch.isStale()) {
          say(`stale ${batch.partition}`)
          throw new Error('stale')
        }
        // Without a word from the broker: the clock alone must say it.
        if (wasStopped) say(`not stale ${batch.partition}`)
        await batch.heartbeat()
      }
      say(`stored ${batch.partition}`)
    },
    caughtUp: () => Promise.resolve(),
  },
  { maxBatchRecords: 1_000, maxBatchBytes: 4_000_000, minBatchIntervalMs: 0 },
  () => say('error'),
)
