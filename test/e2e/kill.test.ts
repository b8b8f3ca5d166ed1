import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { startEmbedded, until } from '../support/embedded.ts'
import { day, monday, toBody } from '../support/records.ts'

type Answer = { metrics: { assigned: { value: number } } }

test(
  'every acknowledged receipt is in ClickHouse exactly once after kill -9 under load, several times',
  { timeout: 180_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rollcall-kill-'))
    const acknowledged = new Set<string>()
    let sequence = 0
    for (let round = 0; round < 4; round++) {
      const embedded = await startEmbedded(directory)
      const load = startLoad(embedded.ingestUrl, 32, () => toNth(sequence++), acknowledged)
      // Long enough for batches to be under way in the consumer, and never at the same step.
      await sleep(700 + round * 430)
      await embedded.kill()
      await load.stop()
    }
    expect(acknowledged.size).toBeGreaterThan(1_000)

    const embedded = await startEmbedded(directory)
    const answer = await until(
      async () =>
        (await (await fetch(`${embedded.dashboardUrl}/api/metrics`)).json()) as Answer & { complete_through: string },
      (metrics) => metrics.complete_through !== null && Date.parse(metrics.complete_through) > startedBefore(),
      40_000,
    )
    expect(await embedded.stop(), embedded.output()).toBe(0)

    const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
    const read = async <Row>(query: string) =>
      (await clickhouse.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
    const events = await read<{ event_id: string; n: number }>(
      'SELECT event_id, toUInt32(count()) AS n FROM rollcall.events GROUP BY event_id',
    )
    const stored = new Map(events.map((row) => [row.event_id, row.n]))
    expect([...acknowledged].filter((receipt) => stored.get(receipt) !== 1)).toEqual([])
    const assignments = await read<{ n: number }>('SELECT toUInt32(uniqExact(assignment_id)) AS n FROM rollcall.events')
    expect(answer.metrics.assigned.value).toBe(assignments[0]?.n)
    expect(await read('SELECT akey FROM rollcall.open_versions GROUP BY akey HAVING sum(sign) != 1')).toEqual([])
    const [ledger] = await read<{ difference: number }>(
      'SELECT toInt64(sum(difference)) AS difference FROM rollcall.ledger',
    )
    expect(Number(ledger?.difference)).toBe(0)
    await clickhouse.close()
    await rm(directory, { recursive: true, force: true })
  },
)

const testStartedAt = Date.now()
/** Receipts of the last round are older than this many ms ago once the process has been restarted and is idle. */
function startedBefore(): number {
  return Math.max(testStartedAt, Date.now() - 8_000)
}

/** Events of 300 assignments, over and over, so that every batch touches what earlier ones wrote. */
function toNth(n: number): Uint8Array {
  const kind = n < 300 ? 'Created' : 'Progress'
  return toBody(kind, `a${n % 300}`, monday + n * 1000, { completionPercentage: n % 100, dueDate: monday + day })
}

function startLoad(url: string, concurrency: number, next: () => Uint8Array, acknowledged: Set<string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let going = true
  const senders = Array.from({ length: concurrency }, async () => {
    while (going) {
      const receipt = await post(url, agent, next())
      if (receipt !== undefined) acknowledged.add(receipt)
    }
  })
  return {
    async stop() {
      going = false
      await Promise.all(senders)
      agent.destroy()
    },
  }
}

/** The receipt of an acknowledged event, or nothing when it was not acknowledged (the sender may lose it, we may not). */
async function post(url: string, agent: Agent, body: Uint8Array): Promise<string | undefined> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve(response.statusCode === 200 ? (JSON.parse(text) as { receipt: string }).receipt : undefined),
        )
        response.on('error', () => resolve(undefined))
      },
    )
    sent.on('error', () => setTimeout(() => resolve(undefined), 20))
    sent.end(body)
  })
}
