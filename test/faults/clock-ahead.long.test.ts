/** A machine whose clock jumps hours ahead: completeness goes on by the store's clock, in both ways to run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findBroker } from '../support/kafka/broker.ts'
import { toBody } from '../support/data/records.ts'
import { deliver, startEmbedded } from '../support/processes/embedded.ts'
import { noSessionEnds, openHarness } from '../distributed/harness.ts'
import { testDirectory } from '../support/directories.ts'

const broker = await findBroker()
const hour = 3_600_000
const preload = pathToFileURL(join(import.meta.dirname, '../chaos/preload/clock.ts')).href

/** A clock that only Node sees, as far ahead as is set. */
async function openClock() {
  const directory = testDirectory()
  const file = join(directory, 'clock')
  const set = (aheadMs: number) => writeFile(file, String(aheadMs))
  await set(0)
  return {
    env: { CHAOS_CLOCK: file, NODE_OPTIONS: `--import=${preload}` },
    set,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** It goes past now, again and again, and never beyond; and so it does after the clock is right again. */
async function watchOverJump(
  clock: Awaited<ReturnType<typeof openClock>>,
  deliver: () => Promise<void>,
  completeThrough: () => Promise<number | null>,
) {
  const passesNow = async () => {
    const now = Date.now()
    let through: number | null = null
    await expect.poll(async () => (through = await completeThrough()) ?? 0).toBeGreaterThan(now)
    expect(through).toBeLessThanOrEqual(Date.now())
  }
  await deliver()
  await passesNow()
  await clock.set(3 * hour)
  await deliver()
  for (let times = 0; times < 3; times++) await passesNow()
  await clock.set(0)
  await deliver()
  for (let times = 0; times < 2; times++) await passesNow()
}

describe('a clock that jumps hours ahead', () => {
  test('embedded: complete_through goes on', async () => {
    const clock = await openClock()
    const directory = await mkdtemp(join(tmpdir(), 'rollcall-embedded-'))
    const embedded = await startEmbedded(directory, clock.env)
    let number = 0
    try {
      await watchOverJump(
        clock,
        async () => {
          const body = toBody('Created', `a${number++}`, Date.now())
          const answer = await deliver(embedded.ingestUrl, body)
          expect(answer.status).toBe(200)
        },
        async () => {
          const answer = await fetch(`${embedded.dashboardUrl}/api/metrics`)
          const { complete_through } = (await answer.json()) as { complete_through: string | null }
          return complete_through === null ? null : Date.parse(complete_through)
        },
      )
      expect(await embedded.stop(), embedded.output()).toBe(0)
    } finally {
      await embedded.kill()
      await clock.remove()
    }
  })

  test.skipIf(broker === undefined)('distributed: complete_through goes on', async () => {
    const clock = await openClock()
    const harness = await openHarness(broker!, 'clock ahead', { ...clock.env, ...noSessionEnds })
    try {
      const consumer = await harness.startConsumer()
      await watchOverJump(
        clock,
        () => harness.send(20),
        async () => {
          const query = 'SELECT toUnixTimestamp64Milli(complete_through) AS through FROM rollcall.complete_through'
          const answer = await harness.client.query({ query, format: 'JSONEachRow' })
          const [row] = await answer.json<{ through: string | number | null }>()
          return row?.through == null ? null : Number(row.through)
        },
      )
      expect(await harness.ledger()).toEqual({ given: 60, difference: 0 })
      expect(await consumer.stop(), consumer.output()).toBe(0)
    } finally {
      await harness.dispose()
      await clock.remove()
    }
  })
})
