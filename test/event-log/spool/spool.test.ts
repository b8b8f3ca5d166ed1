import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LogUnavailableError } from '../../../services/event-log/event-log.ts'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import {
  openSpooledLogWriter,
  type SpoolChange,
  type SpooledLogWriter,
  type SpoolOptions,
} from '../../../services/event-log/spool/spool.ts'
import { createStore, readerOptions } from '../contract.ts'
import { toId, toRecord } from '../records.ts'
import { openPrimary, type Primary } from './primary.ts'
import { until } from '../../support/wait.ts'
import { isLong, pick } from '../../support/tiers.ts'
import { testDirectory } from '../../support/directories.ts'

describe('the spool', () => {
  let directory: string
  let primary: Primary
  let spooled: SpooledLogWriter
  let changes: SpoolChange[]

  beforeEach(async () => {
    directory = testDirectory()
    primary = await openPrimary(join(directory, 'log'))
    changes = []
    spooled = await openSpool()
  })
  afterEach(async () => {
    await spooled.close()
    await primary.close()
  })

  const openSpool = (options: Partial<SpoolOptions> = {}) =>
    openSpooledLogWriter({
      primary,
      directory: join(directory, 'spool'),
      maxBytes: 50_000_000,
      onChange: (change) => changes.push(change),
      ...options,
    })

  async function reopenSpool(options: Partial<SpoolOptions> = {}): Promise<void> {
    await spooled.close()
    spooled = await openSpool(options)
  }

  /** The records of the log itself by now. */
  async function readLog() {
    const store = createStore()
    const reader = openLocalLogReader({ directory: join(directory, 'log') })
    reader.start(store.handler, readerOptions, () => {})
    await until(() => store.caughtUp.length > 0)
    await reader.close()
    return store.records
  }

  async function untilDrained(): Promise<void> {
    await until(async () => (await spooled.stats()).records === 0)
  }

  test.each(pick(['refusing', 'silent'] as const, 2))(
    'acknowledges while the log is %s, and hands on in order, each as it was, once the log is back',
    async (tap) => {
      primary.timeoutMs = 100
      primary.tap = tap
      const sent = Array.from({ length: 300 }, (_, index) => ({
        ...toRecord(`${index} `.padEnd(500, 'x')),
        source: `source ${index % 3}`,
        receivedAt: 1_700_000_000_000 + index,
      }))
      await spooled.append(sent[0]!)
      await Promise.all(sent.slice(1).map((record) => spooled.append(record)))
      expect(spooled.health()).toEqual({ ok: true, note: 'spooling' })
      const stats = await spooled.stats()
      expect(stats).toMatchObject({ records: 300, spooled: 300, isSpooling: true })
      expect(stats.oldestMs).toBeGreaterThan(1_000_000)
      await until(() => changes.length > 0)

      primary.tap = 'open'
      await untilDrained()
      expect(await readLog()).toEqual(sent.map((record, offset) => ({ ...record, offset })))
      await until(() => changes.at(-1)?.state === 'drained')
      expect(changes.map(({ state }) => state)).toEqual(['spooling', 'draining', 'drained'])
      expect(spooled.health()).toEqual({ ok: true })
      expect(await spooled.stats()).toMatchObject({ records: 0, bytes: 0, oldestMs: 0, drained: 300 })
    },
  )

  test.runIf(isLong)(
    'new records go to the log as soon as it is back, before those of the spool',
    async () => {
      const appended = Promise.withResolvers<void>()
      await reopenSpool({
        onChange: ({ state }) => state === 'draining' && appended.resolve(spooled.append(toRecord('new'))),
      })
      primary.tap = 'refusing'
      await Promise.all(Array.from({ length: 5_000 }, (_, index) => spooled.append(toRecord(`old ${index}`))))
      primary.tap = 'open'
      await appended.promise
      expect((await spooled.stats()).spooled).toBe(5_000)
      await untilDrained()
      const bodies = (await readLog()).map(({ body }) => Buffer.from(body).toString())
      expect(bodies).toHaveLength(5_001)
      expect(bodies.indexOf('new')).toBeLessThan(5_000)
    },
  )

  test.runIf(isLong)(
    'an append whose answer came too late is in both, and so comes twice, under one event id',
    async () => {
      primary.timeoutMs = 100
      primary.tap = 'late'
      const record = toRecord('late')
      const appended = spooled.append(record)
      await until(() => primary.asked.length > 0)
      primary.tap = 'refusing'
      await appended
      primary.answerLate()
      await until(async () => (await readLog()).length > 0)
      primary.tap = 'open'
      await untilDrained()
      expect((await readLog()).map(({ eventId }) => eventId)).toEqual([record.eventId, record.eventId])
    },
  )

  test.runIf(isLong)(
    'a record that the log never takes is refused, or stays, and keeps no new one out of the log',
    async () => {
      primary.tap = 'small'
      const large = toRecord('x'.repeat(2_000))
      await expect(spooled.append(large)).rejects.toMatchObject({ code: 'LOG_TOO_LARGE' })
      primary.tap = 'refusing'
      const behind = Array.from({ length: 20 }, (_, index) => toRecord(`behind ${index}`))
      for (const record of [large, ...behind]) await spooled.append(record)
      primary.tap = 'small'
      await until(() => changes.at(-1)?.state === 'stuck')
      const small = toRecord('small')
      await spooled.append(small)
      const tries = primary.asked.length
      const again = () => primary.asked.slice(tries).filter(({ eventId }) => eventId === large.eventId).length
      await until(() => again() >= 3)
      expect(await spooled.stats()).toMatchObject({ records: 21, spooled: 21, isSpooling: false })
      // Those behind it went too, each once.
      const rest = [small, ...behind].map(({ eventId }) => eventId)
      expect((await readLog()).map(({ eventId }) => eventId)).toEqual(rest)
      primary.tap = 'open'
      await untilDrained()
      expect((await readLog()).map(({ eventId }) => eventId)).toEqual([...rest, large.eventId])
    },
  )

  test('keeps acknowledged records over a restart, and resumes at its position', async () => {
    primary.tap = 'refusing'
    const ids: string[] = []
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 40; index++) {
        const record = toRecord(`round ${round}, ${index}`)
        await spooled.append(record)
        ids.push(record.eventId)
      }
      await reopenSpool()
    }
    expect((await spooled.stats()).records).toBe(120)
    primary.tap = 'open'
    await untilDrained()
    expect((await readLog()).map(({ eventId }) => eventId)).toEqual(ids)

    // By way of the spool as well: records that it would send again would come before this.
    await reopenSpool()
    primary.tap = 'refusing'
    await spooled.append(toRecord('last'))
    primary.tap = 'open'
    await untilDrained()
    expect(await readLog()).toHaveLength(121)
  })

  test.runIf(isLong)(
    'a log that fails again and again while the spool drains gets every record',
    async () => {
      primary.tap = 'refusing'
      const ids = Array.from({ length: 5_000 }, (_, index) => toId(Buffer.from(`${index}`)))
      await Promise.all(ids.map((_, index) => spooled.append(toRecord(`${index}`))))
      for (let round = 0; round < 6; round++) {
        const { drained } = await spooled.stats()
        primary.tap = 'open'
        await until(spooled.stats, (stats) => stats.drained > drained || stats.records === 0)
        primary.tap = round % 2 === 0 ? 'refusing' : 'silent'
        const { length } = primary.asked
        await until(spooled.stats, ({ records }) => primary.asked.length > length || records === 0)
      }
      primary.tap = 'open'
      await untilDrained()
      const found = new Set((await readLog()).map(({ eventId }) => eventId))
      expect(ids.filter((id) => !found.has(id))).toEqual([])
    },
  )

  /** Appends until one is refused. */
  async function fill(bytes: number) {
    primary.tap = 'refusing'
    for (let accepted = 0; ; accepted++) {
      const refusal = await spooled.append(toRecord(`${accepted}`.padEnd(bytes))).then(
        () => undefined,
        (error: LogUnavailableError) => error,
      )
      if (refusal !== undefined) return { accepted, refusal }
    }
  }

  test('full is LOG_FULL with the setting to raise, and there is room again after the outage', async () => {
    await reopenSpool({ maxBytes: 100_000 })
    const { accepted, refusal } = await fill(1_000)
    expect(accepted).toBeGreaterThan(80)
    expect(refusal).toMatchObject({ code: 'LOG_FULL', message: expect.stringContaining('SPOOL_MAX_BYTES') })
    expect(spooled.health()).toMatchObject({ ok: false, reason: expect.stringContaining('SPOOL_MAX_BYTES') })

    primary.tap = 'open'
    await untilDrained()
    expect(await readLog()).toHaveLength(accepted)
    await until(() => spooled.health().ok)
    primary.tap = 'refusing'
    await spooled.append(toRecord('room again'))
    expect((await spooled.stats()).records).toBe(1)
  })

  // Mounting needs root; where it is refused, local-faults.test.ts still has the same path refused by the kernel.
  const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0
  test.runIf(canMount && isLong)(
    'a full disk refuses while the log is away, is emptied once the log is there, and then takes records again',
    async () => {
      const disk = join(directory, 'disk')
      mkdirSync(disk)
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]).status).toBe(0)
      await spooled.close()
      try {
        spooled = await openSpool({ directory: join(disk, 'spool') })
        const { accepted, refusal } = await fill(8_000)
        expect(refusal.code).toBe('LOG_FULL')
        expect(spooled.health().ok).toBe(false)
        primary.tap = 'open'
        await until(() => changes.at(-1)?.state === 'drained')
        await spooled.append(toRecord('after'))
        expect(await readLog()).toHaveLength(accepted + 1)

        // Drained records have made room, although removing them needs some itself.
        await until(() => spooled.health().ok && !('note' in spooled.health()))
        primary.tap = 'refusing'
        await spooled.append(toRecord('room again'))
        await spooled.close()
      } finally {
        spawnSync('umount', ['-l', disk])
      }
    },
  )
})
