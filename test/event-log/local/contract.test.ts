import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { createStore, describeEventLog, readerOptions } from '../contract.ts'
import { toId, toRecord } from '../records.ts'
import { until } from '../../support/wait.ts'

describeEventLog('the local log', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-log-'))
  return {
    openWriter: (limits) => openLocalLogWriter({ directory, ...limits }),
    openReader: () => openLocalLogReader({ directory }),
    dispose: async () => rmSync(directory, { recursive: true }),
  }
})

describe('the local log', () => {
  let directory: string

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'rollcall-log-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

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

  test('the reader may be opened before the writer, and sees a record soon after it is acknowledged', async () => {
    const store = createStore()
    const reader = openLocalLogReader({ directory })
    reader.start(store.handler, readerOptions, () => {})
    await pause(100)
    const writer = await openLocalLogWriter({ directory })
    await writer.append(toRecord('first'))
    const acknowledged = Date.now()
    await until(() => store.records.length === 1)
    expect(Date.now() - acknowledged).toBeLessThan(500)
    await reader.close()
    await writer.close()
  })

  test('a torn tail costs nothing but the tail: what remains is a whole prefix, and appending goes on', async () => {
    const writer = await openLocalLogWriter({ directory })
    const sent: string[] = []
    for (let index = 0; index < 60; index++) {
      const record = toRecord(`record ${index} `.padEnd(200 + ((index * 331) % 3_000), 'x'))
      await writer.append(record)
      sent.push(record.eventId)
    }
    const logBytes = statSync(join(directory, 'log.sqlite-wal')).size
    let shortest = sent.length
    for (let round = 0; round < 12; round++) {
      const copy = join(directory, `copy-${round}`)
      mkdirSync(copy)
      for (const file of ['log.sqlite', 'log.sqlite-wal']) copyFileSync(join(directory, file), join(copy, file))
      const cut = round === 0 ? logBytes - 1 : Math.floor(Math.random() * logBytes)
      truncateSync(join(copy, 'log.sqlite-wal'), cut)

      const reopened = await openLocalLogWriter({ directory: copy })
      const after = toRecord('after the tear')
      await reopened.append(after)
      const records = await readAll(copy)
      await reopened.close()
      expect(records.map(({ eventId }) => eventId)).toEqual([...sent.slice(0, records.length - 1), after.eventId])
      for (const { body, eventId } of records) expect(toId(body)).toBe(eventId)
      shortest = Math.min(shortest, records.length - 1)
    }
    // The tears did cut something off: otherwise this has shown nothing.
    expect(shortest).toBeLessThan(sent.length)
    await writer.close()
  })

  test('a log older than its store replays what it has and gives no offset twice', async () => {
    const writer = await openLocalLogWriter({ directory })
    await writer.append(toRecord('kept'))
    const store = createStore()
    store.positions.set(0, 1_000)
    const reader = openLocalLogReader({ directory })
    reader.start(store.handler, readerOptions, () => {})
    await until(() => store.records.length === 1)
    await until(() => writer.stats().nextOffset === 1_000)
    await writer.append(toRecord('new'))
    await until(() => store.records.length === 2)
    expect(store.records.map(({ offset }) => offset)).toEqual([0, 1_000])
    await reader.close()
    await writer.close()
  })

  describe('retention', () => {
    const old = () => Date.now() - 60_000

    test('never removes what is not stored downstream, whatever its age', async () => {
      const writer = await openLocalLogWriter({ directory, retentionMs: 1, retentionBytes: 1 })
      const sent = Array.from({ length: 50 }, (_, index) => ({ ...toRecord(`old ${index}`), receivedAt: old() }))
      await Promise.all(sent.map((record) => writer.append(record)))
      await pause(2_500)
      expect(await readAll(directory, 50)).toHaveLength(50)
      await writer.close()
    })

    test('removes what is stored and past its time, and offsets go on', async () => {
      const writer = await openLocalLogWriter({ directory, retentionMs: 30_000 })
      await Promise.all(
        Array.from({ length: 1_200 }, (_, index) => writer.append({ ...toRecord(`old ${index}`), receivedAt: old() })),
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

    test('stored records over the byte limit go, oldest first, and their space is used again', async () => {
      const writer = await openLocalLogWriter({ directory, maxBytes: 10_000_000, retentionBytes: 1_000_000 })
      const store = createStore(({ records }) => records.splice(0, records.length - 1) && undefined)
      const reader = openLocalLogReader({ directory })
      reader.start(store.handler, readerOptions, () => {})
      const sizes: number[] = []
      for (let round = 0; round < 5; round++) {
        await Promise.all(
          Array.from({ length: 1_000 }, () => writer.append(toRecord(`${Math.random()}`.padEnd(3_000)))),
        )
        await until(() => {
          const { nextOffset, waitingBytes, keptBytes } = writer.stats()
          return nextOffset === (round + 1) * 1_000 && waitingBytes === 0 && keptBytes <= 1_000_000
        })
        sizes.push(statSync(join(directory, 'log.sqlite')).size)
      }
      expect(sizes.at(-1) as number).toBeLessThan((sizes[0] as number) * 1.5)
      await reader.close()
      await writer.close()
    })

    test('refuses with LOG_FULL when too much waits to be stored, and takes records again once it is', async () => {
      const writer = await openLocalLogWriter({ directory, maxBytes: 100_000 })
      let accepted = 0
      const refused: { code: string; retryAfterMs: number }[] = []
      for (let index = 0; index < 300 && refused.length === 0; index++) {
        await writer.append(toRecord(`${index}`.padEnd(1_000))).then(
          () => accepted++,
          (error) => refused.push(error),
        )
      }
      expect(refused[0]).toMatchObject({ code: 'LOG_FULL' })
      expect(accepted).toBeGreaterThan(80)
      expect(accepted).toBeLessThan(120)
      expect(writer.health()).toMatchObject({ ok: false, reason: expect.stringContaining('LOG_MAX_BYTES') })

      expect(await readAll(directory, accepted)).toHaveLength(accepted)
      await until(() => writer.health().ok)
      await writer.append(toRecord('room again'))
      await writer.close()
    })
  })
})
