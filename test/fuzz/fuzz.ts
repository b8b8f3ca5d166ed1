/** Hostile bodies against the product over HTTP, and against its reading in this process. The oracle of chaos judges both. */
import { parseDelivery, toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { readErasedPeople } from '../../services/consumer/erased-people.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { prepareRecord } from '../../services/consumer/rows.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import type { PositionedRecord } from '../../services/event-log/event-log.ts'
import { createOracle } from '../chaos/oracle.ts'
import { endAndJudge, findFailures } from '../chaos/run.ts'
import { startSenders } from '../chaos/senders.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openProduct } from '../support/processes/product.ts'
import { openTestStore } from '../support/store/store.ts'
import { maxBodyBytes, sampleBodies } from './hostile-bodies.ts'
import { forms, type Form } from './send-body.ts'

export type FuzzReport = {
  /** What must not happen; empty where all is well. */
  problems: string[]
  /** How often each answer, or outcome of reading, was given. */
  outcomes: Map<string, number>
  /** The most costly kinds of bodies, ms of CPU time of the reading thread. */
  worst: [kind: string, ms: number][]
}

export async function fuzzEmbedded(seed: number, runs: number): Promise<FuzzReport> {
  const product = await openProduct('embedded')
  try {
    const oracle = createOracle()
    const bodies = sampleBodies(seed, runs)
    let sent = 0
    const senders = startSenders(product.ingestUrl, String(seed), oracle, () => {
      const next = bodies.next()
      const form = forms[sent++ % 3 === 0 ? ((sent / 3) % forms.length) | 0 : 0] as Form
      return next.done === true ? undefined : { body: next.value.bytes, form }
    })
    await senders.ended
    const problems = findFailures(await endAndJudge(product, senders, oracle))
    return { problems, outcomes: senders.statuses, worst: [] }
  } finally {
    await product.dispose()
  }
}

/** In turn: some steps of the consumer are done to a few records of a batch only, and so to all of a small one. */
const batchSizes = [250, 5, 5, 1]

/** Somebody was erased, so that every body goes through the scrubber as well. */
export async function fuzzInside(seed: number, runs: number): Promise<FuzzReport> {
  const store = await openTestStore()
  const report: FuzzReport = { problems: [], outcomes: new Map(), worst: [] }
  const costs = new Map<string, number>()
  const promised = new Set<string>()
  try {
    const consumer = createConsumer({ client: store.writer })
    await erasePerson({ client: store.writer, userId: '7', settle: () => Promise.resolve() })
    const erased = await readErasedPeople(store.writer)
    let batch: PositionedRecord[] = []
    let [offset, handled] = [0, 0]
    for (const { kind, bytes } of sampleBodies(seed, runs)) {
      if (bytes.byteLength > maxBodyBytes) continue
      const record = toRecord(bytes, offset++)
      const before = process.threadCpuUsage()
      const { outcome } = parseDelivery(bytes)
      prepareRecord(record, 0, erased)
      const { user, system } = process.threadCpuUsage(before)
      costs.set(kind, Math.max(costs.get(kind) ?? 0, (user + system) / 1_000))
      report.outcomes.set(outcome, (report.outcomes.get(outcome) ?? 0) + 1)
      promised.add(toEventId(bytes))
      batch.push(record)
      if (batch.length < (batchSizes[handled % batchSizes.length] as number)) continue
      await consumer.handle(toBatch(batch))
      ;[batch, handled] = [[], handled + 1]
    }
    if (batch.length > 0) await consumer.handle(toBatch(batch))
    const rows = await store.rows<{ id: string }>(
      `SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS id
      FROM (SELECT event_id FROM rollcall.event_rows UNION ALL SELECT event_id FROM rollcall.failed_event_rows)`,
    )
    const stored = new Set(rows.map(({ id }) => id))
    const odd = [...promised, ...stored].filter((id) => !promised.has(id) || !stored.has(id))
    if (odd.length > 0) report.problems.push(`Lost, or stored and never sent: ${odd.slice(0, 5).join(', ')}`)
  } finally {
    await store.close()
  }
  report.worst = [...costs].toSorted(([, a], [, b]) => b - a).slice(0, 10)
  return report
}
