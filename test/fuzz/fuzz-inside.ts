/**
 * Ingest's reading and the consumer in this process, on a real store: fast, and what each body costs is measured by the CPU
 * time of this thread. Somebody was erased, so that every body goes through the scrubber as well.
 */
import { parseDelivery, toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import { readErasedPeople } from '../../services/consumer/erased-people.ts'
import { prepareRecord } from '../../services/consumer/rows.ts'
import type { PositionedRecord } from '../../services/event-log/event-log.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { maxBodyBytes, sampleBodies } from './hostile-bodies.ts'
import { createWorst, findLost, storedIdsSql, type FuzzReport } from './report.ts'

export type FuzzOptions = { seed: number; runs: number; onProgress?: (done: number) => void }

/** In turn: some steps of the consumer are done to a few records of a batch only, and so to all of a small one. */
const batchSizes = [250, 5, 5, 1]

export async function fuzzInside({ seed, runs, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const store = await openTestStore()
  const outcomes = new Map<string, number>()
  const problems: string[] = []
  const worst = createWorst()
  const promised = new Set<string>()
  try {
    const consumer = createConsumer({ client: store.writer })
    await erasePerson({ client: store.writer, userId: '7', settle: () => Promise.resolve() })
    const erased = await readErasedPeople(store.writer)
    let offset = 0
    let batch: PositionedRecord[] = []
    let handled = 0

    async function handle(): Promise<void> {
      await consumer.handle(toBatch(batch))
      onProgress?.(offset)
      batch = []
      handled++
    }

    for (const { kind, bytes } of sampleBodies(seed, runs)) {
      if (bytes.byteLength > maxBodyBytes) continue
      const record = toRecord(bytes, offset++)
      const before = process.threadCpuUsage()
      try {
        const { outcome } = parseDelivery(bytes)
        prepareRecord(record, 0, erased)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      } catch (error) {
        problems.push(`${kind}: ${String(error)}: ${Buffer.from(bytes.subarray(0, 200)).toString('base64')}`)
        continue
      }
      const { user, system } = process.threadCpuUsage(before)
      worst.add(kind, bytes, (user + system) / 1_000)
      promised.add(toEventId(bytes))
      batch.push(record)
      if (batch.length >= (batchSizes[handled % batchSizes.length] as number)) await handle()
    }
    if (batch.length > 0) await handle()
    const stored = await store.rows<{ id: string }>(storedIdsSql)
    problems.push(...findLost(promised, new Set(stored.map(({ id }) => id))))
  } finally {
    await store.close()
  }
  return { mode: 'inside', seed, runs, outcomes, problems, worst: worst.list() }
}
