/** Guarantees 1 and 3 as a user has them: the process is ended in every way, and nothing acknowledged is lost or doubled. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { startLoad } from '../support/network/load.ts'
import { readMetric } from '../support/processes/metric.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { until } from '../support/wait.ts'

type Answer = { complete_through: string | null; metrics: { assigned: { value: number } } }

let directory: string
let acknowledged: Set<string>
let sequence: number
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rollcall-kill-'))
  acknowledged = new Set()
  sequence = 0
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('every acknowledged receipt is in ClickHouse exactly once after kill -9 under load, several times', async () => {
  for (let round = 0; round < 4; round++) {
    const embedded = await startEmbedded(directory)
    const load = startLoad(embedded.ingestUrl, 32, nextBody, acknowledged)
    // Batches are under way in the consumer, and it is never the same step.
    await untilStored(embedded, 250 + round * 170)
    await embedded.kill()
    await load.stop()
  }
  expect(acknowledged.size).toBeGreaterThan(1_000)
  await expectAllStoredOnce()
})

test('a stop by SIGTERM under load ends cleanly, and a start on the same data has everything', async () => {
  const embedded = await startEmbedded(directory)
  const load = startLoad(embedded.ingestUrl, 16, nextBody, acknowledged)
  await untilStored(embedded, 150)
  expect(await embedded.stop(), embedded.output()).toBe(0)
  await load.stop()
  expect(acknowledged.size).toBeGreaterThan(100)
  await expectAllStoredOnce()
})

test('a store that is lost altogether is rebuilt from the event log', async () => {
  const embedded = await startEmbedded(directory)
  const load = startLoad(embedded.ingestUrl, 16, nextBody, acknowledged)
  await untilStored(embedded, 150)
  await load.stop()
  expect(await embedded.stop(), embedded.output()).toBe(0)
  await rm(join(directory, 'clickhouse'), { recursive: true })
  await expectAllStoredOnce()
})

/** The process has stored so many deliveries since its start. */
async function untilStored(embedded: Embedded, count: number): Promise<void> {
  const readStored = () => readMetric(embedded, 'rollcall_consumer_deliveries_total', 'outcome="stored"')
  await until(readStored, (stored) => stored >= count, { describe: embedded.output })
}

/** 300 assignments, over and over, so that every batch touches what earlier ones wrote. */
function nextBody(): Uint8Array {
  const n = sequence++
  const kind = n < 300 ? 'Created' : 'Progress'
  return toBody(kind, `a${n % 300}`, monday + n * 1000, { completionPercentage: n % 100, dueDate: monday + day })
}

async function expectAllStoredOnce(): Promise<void> {
  const embedded = await startEmbedded(directory)
  const answer = await untilComplete(embedded)
  expect(await embedded.stop(), embedded.output()).toBe(0)

  const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  const read = async <Row>(query: string) =>
    (await clickhouse.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
  const events = await read<{ event_id: string; n: number }>(
    'SELECT event_id, toUInt32(count()) AS n FROM rollcall.events GROUP BY event_id',
  )
  const stored = new Map(events.map((row) => [row.event_id, row.n]))
  expect([...acknowledged].filter((receipt) => stored.get(receipt) !== 1)).toEqual([])
  const [assignments] = await read<{ n: number }>('SELECT toUInt32(uniqExact(assignment_id)) AS n FROM rollcall.events')
  expect(answer.metrics.assigned.value).toBe(assignments?.n)
  expect(await read('SELECT akey FROM rollcall.open_versions GROUP BY akey HAVING sum(sign) != 1')).toEqual([])
  const [ledger] = await read<{ difference: number; acknowledged: number }>(
    'SELECT toInt32(sum(difference)) AS difference, toUInt32(sum(acknowledged)) AS acknowledged FROM rollcall.ledger',
  )
  expect(ledger?.difference).toBe(0)
  expect(ledger?.acknowledged).toBeGreaterThanOrEqual(acknowledged.size)
  await clickhouse.close()
}

async function untilComplete(embedded: Embedded): Promise<Answer> {
  const startedAt = Date.now()
  return until(
    async () => (await (await fetch(`${embedded.dashboardUrl}/api/metrics`)).json()) as Answer,
    (answer) => answer.complete_through !== null && Date.parse(answer.complete_through) >= startedAt,
  )
}
