import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { readLogId } from '../../../services/event-log/local/log-use.ts'
import { writeStoredThrough } from '../../../services/event-log/local/position.ts'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import { openLocalLogWriter, type LocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { createStore, describeEventLog, readerOptions } from '../contract.ts'
import { toId, toRecord } from '../records.ts'
import { until } from '../../support/wait.ts'
import { isLong } from '../../support/tiers.ts'
import { testDirectory } from '../../support/directories.ts'

if (!isLong) {
  describeEventLog('the local log', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'rollcall-log-'))
    return {
      openWriter: (limits) => openLocalLogWriter({ directory, ...limits }),
      openReader: () => openLocalLogReader({ directory }),
      dispose: async () => rmSync(directory, { recursive: true }),
    }
  })
}

describe('the local log', () => {
  let directory: string

  beforeEach(() => {
    directory = testDirectory()
  })

  async function readAll(path: string, count?: number) {
    const store = createStore()
    const reader = openLocalLogReader({ directory: path })
    const errors: unknown[] = []
    reader.start(store.handler, readerOptions, (error) => errors.push(error))
    await until(() => store.caughtUp.length > 0 && (count === undefined || store.records.length >= count))
    await reader.close()
    expect(errors).toEqual([])
    return store.records
  }

  test('refuses a second writer and a second reader, and says what to do', async () => {
    const writer = await openLocalLogWriter({ directory })
    await expect(openLocalLogWriter({ directory })).rejects.toThrow(/already has the event log .* DATA_DIR/)
    const reader = openLocalLogReader({ directory })
    reader.start(createStore().handler, readerOptions, () => {})
    const second = openLocalLogReader({ directory })
    expect(() => second.start(createStore().handler, readerOptions, () => {})).toThrow(/Another reader/)
    await second.close()
    await reader.close()
    await writer.close()
    await (await openLocalLogWriter({ directory })).close()
  })

  test('a torn tail loses the tail only: the prefix is intact, and appending continues', async () => {
    const writer = await openLocalLogWriter({ directory })
    const sent: string[] = []
    for (let index = 0; index < 60; index++) {
      const record = toRecord(`record ${index} `.padEnd(200 + ((index * 331) % 3_000), 'x'))
      await writer.append(record)
      sent.push(record.eventId)
    }
    const logBytes = statSync(join(directory, 'log.sqlite-wal')).size
    let shortest = sent.length
    for (let round = 0; round < (isLong ? 12 : 4); round++) {
      const copy = join(directory, `copy-${round}`)
      mkdirSync(copy)
      for (const file of ['log.sqlite', 'log.sqlite-wal'])
        copyFileSync(join(directory, file), join(copy, file))
      const cut = round === 0 ? logBytes - 1 : Math.floor((Math.random() * logBytes) / (round === 1 ? 2 : 1))
      truncateSync(join(copy, 'log.sqlite-wal'), cut)

      const reopened = await openLocalLogWriter({ directory: copy })
      const after = toRecord('after the tear')
      await reopened.append(after)
      const records = await readAll(copy)
      await reopened.close()
      expect(records.map(({ eventId }) => eventId)).toEqual([
        ...sent.slice(0, records.length - 1),
        after.eventId,
      ])
      for (const { body, eventId } of records) expect(toId(body)).toBe(eventId)
      shortest = Math.min(shortest, records.length - 1)
    }
    // The tears did cut something off: otherwise this has shown nothing.
    expect(shortest).toBeLessThan(sent.length)
    await writer.close()
  })

  test('a log that ends before the store’s position goes on from there', async () => {
    writeStoredThrough(directory, 1_000)
    const writer = await openLocalLogWriter({ directory })
    await writer.append(toRecord('new'))
    await writer.append(toRecord('newer'))
    await writer.close()
    const store = createStore()
    store.positions.set(0, 1_000)
    const reader = openLocalLogReader({ directory })
    reader.start(store.handler, readerOptions, () => {})
    await until(() => store.caughtUp.length > 0)
    expect(store.records.map(({ offset }) => offset)).toEqual([1_000, 1_001])
    await reader.close()
    // A store that has read less finds in its ledger what is missing: no batch covers it.
    const behind = createStore()
    behind.positions.set(0, 500)
    const again = openLocalLogReader({ directory })
    again.start(behind.handler, readerOptions, () => {})
    await until(() => behind.caughtUp.length > 0)
    expect(behind.batches[0]).toMatchObject({ from: 1_000, next: 1_002 })
    await again.close()
  })

  test('keeps its id, and a log that is made anew takes that of the one that the store has read', async () => {
    const id = readLogId(directory)
    const writer = await openLocalLogWriter({ directory })
    await writer.append(toRecord('one'))
    await writer.close()
    expect(readLogId(directory, 'another')).toBe(id)
    expect(readLogId(join(directory, 'other'))).not.toBe(id)
    expect(readLogId(join(directory, 'anew'), id)).toBe(id)
  })

  describe('retention', () => {
    const old = () => Date.now() - 60_000
    /** Every maintenance brings a new object. */
    const untilMaintained = async ({ stats }: LocalLogWriter) => {
      const before = stats()
      await until(() => stats() !== before)
    }

    test('never removes records that are not stored downstream, at any age', async () => {
      const writer = await openLocalLogWriter({ directory, retentionMs: 1, retentionBytes: 1 })
      const sent = Array.from({ length: 50 }, (_, index) => ({
        ...toRecord(`old ${index}`),
        receivedAt: old(),
      }))
      await Promise.all(sent.map((record) => writer.append(record)))
      await untilMaintained(writer)
      await untilMaintained(writer)
      expect(await readAll(directory, 50)).toHaveLength(50)
      await writer.close()
    })

    test('removes what is stored and past its time, and offsets go on', async () => {
      const writer = await openLocalLogWriter({ directory, retentionMs: 30_000 })
      await Promise.all(
        Array.from({ length: 1_200 }, (_, index) =>
          writer.append({ ...toRecord(`old ${index}`), receivedAt: old() }),
        ),
      )
      await writer.append(toRecord('young'))
      const store = createStore()
      const reader = openLocalLogReader({ directory })
      reader.start(store.handler, readerOptions, () => {})
      await until(() => writer.stats().firstOffset === 1_200)
      await reader.close()
      await writer.close()

      // All of it removed: only the remembered end can tell the next offset.
      const strict = await openLocalLogWriter({ directory, retentionMs: 0 })
      await until(() => strict.stats().firstOffset === 1_201)
      await strict.close()
      const reopened = await openLocalLogWriter({ directory })
      await reopened.append(toRecord('next'))
      const [record] = await readAll(directory, 1)
      expect(record?.offset).toBe(1_201)
      await reopened.close()
    })

    test('refuses with LOG_FULL when too much waits to be stored, and takes records again once it is', async () => {
      const writer = await openLocalLogWriter({ directory, maxBytes: 100_000 })
      let accepted = 0
      let refusal: { code?: string } | undefined
      for (let index = 0; index < 300 && refusal === undefined; index++) {
        await writer.append(toRecord(`${index}`.padEnd(1_000))).then(
          () => accepted++,
          (error) => (refusal = error),
        )
      }
      expect(refusal).toMatchObject({ code: 'LOG_FULL' })
      expect([accepted > 80, accepted < 120]).toEqual([true, true])
      expect(writer.health()).toMatchObject({ ok: false, reason: expect.stringContaining('LOG_MAX_BYTES') })
      expect(await readAll(directory, accepted)).toHaveLength(accepted)
      await until(() => writer.health().ok)
      await writer.append(toRecord('room again'))
      await writer.close()
    })

    test.runIf(isLong)(
      'stored records over the byte limit go, oldest first, and their space is used again',
      async () => {
        const writer = await openLocalLogWriter({
          directory,
          maxBytes: 10_000_000,
          retentionBytes: 1_000_000,
        })
        const store = createStore(({ records }) => records.splice(0, records.length - 1) && undefined)
        const reader = openLocalLogReader({ directory })
        reader.start(store.handler, readerOptions, () => {})
        for (let round = 0; round < 5; round++) {
          await Promise.all(
            Array.from({ length: 1_000 }, () => writer.append(toRecord(`${Math.random()}`.padEnd(3_000)))),
          )
          await until(() => {
            const { nextOffset, waitingBytes, keptBytes } = writer.stats()
            return nextOffset === (round + 1) * 1_000 && waitingBytes === 0 && keptBytes <= 1_000_000
          })
        }
        // 15 MB went through it; waiting and kept records are 4 MB at most.
        expect(statSync(join(directory, 'log.sqlite')).size).toBeLessThan(8_000_000)
        await reader.close()
        await writer.close()
      },
    )
  })
})
