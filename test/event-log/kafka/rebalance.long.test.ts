import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { BatchHandler, LogReader, PositionedRecord } from '../../../services/event-log/event-log.ts'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import { createKafka } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { findBroker, toSettings } from '../../support/kafka/broker.ts'
import { createStore, readerOptions } from '../contract.ts'
import { logger, topicSettings } from './kafka.ts'
import { toRecord } from '../records.ts'
import { until } from '../../support/wait.ts'

const broker = await findBroker()
const partitions = 6

/** The store of several readers, as of one ClickHouse: rows by offset, and the position of each partition. */
function createSharedStore() {
  const positions = new Map<number, number>()
  const ids = new Set<string>()
  const timesStored = new Map<string, number>()
  const broken: string[] = []
  const toHandler = (name: string): BatchHandler => ({
    resumeFrom: async (partition) => positions.get(partition) ?? 0,
    async handle(batch) {
      const { partition, records } = batch
      const position = positions.get(partition) ?? 0
      const first = records[0]?.offset as number
      if (first !== position) broken.push(`${name} goes from ${position} to ${first} in ${partition}`)
      for (let step = 0; step < 3; step++) {
        await pause(15)
        await batch.heartbeat()
        if (batch.isStale()) throw new Error('The partition is gone')
      }
      if ((positions.get(partition) ?? 0) !== position) broken.push(`two write ${partition} at ${position}`)
      for (const { eventId, offset } of records) {
        const place = `${partition}/${offset}`
        timesStored.set(place, (timesStored.get(place) ?? 0) + 1)
        ids.add(eventId)
      }
      positions.set(partition, (records.at(-1) as PositionedRecord).offset + 1)
    },
    caughtUp: async () => {},
  })
  return { toHandler, ids, timesStored, broken }
}

describe.skipIf(broker === undefined)('readers that share the partitions of a topic', () => {
  async function openTopic() {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    await ensureTopic(createKafka(settings, logger), { ...topicSettings(settings.topic), partitions })
    return settings
  }

  test('nothing is skipped and nothing written by two while readers come and go under load', async () => {
    const settings = await openTopic()
    const writer = await openKafkaLogWriter({ settings, logger })
    const shared = createSharedStore()
    const errors: unknown[] = []
    const openReader = (name: string): LogReader => {
      const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 3_000 })
      reader.start(shared.toHandler(name), { ...readerOptions, maxBatchRecords: 50 }, (error) =>
        errors.push(error),
      )
      return reader
    }
    const sent: string[] = []
    let isSending = true
    const sending = (async () => {
      for (let count = 0; isSending; count++) {
        const records = Array.from({ length: 20 }, (_, index) =>
          toRecord(`${count} ${index}`, `key ${index % 15}`),
        )
        await Promise.all(records.map((record) => writer.append(record)))
        sent.push(...records.map(({ eventId }) => eventId))
        await pause(10)
      }
    })()
    const stays = openReader('stays')
    await until(() => stays.assigned().length === partitions)
    for (let round = 0; round < 6; round++) {
      const comes = openReader(`comes ${round}`)
      await until(
        () => comes.assigned().length > 0 && stays.assigned().length + comes.assigned().length === partitions,
      )
      await pause(300 + Math.random() * 700)
      await comes.close()
      await until(() => stays.assigned().length === partitions)
    }
    isSending = false
    await sending
    await until(
      () => shared.ids.size,
      (count) => count >= sent.length,
    )
    expect(shared.broken).toEqual([])
    expect(errors).toEqual([])
    expect(sent.filter((id) => !shared.ids.has(id))).toEqual([])
    // By place, not by name: a send that Kafka refuses for one partition is sent again for all, and is there twice.
    expect([...shared.timesStored].filter(([, times]) => times !== 1)).toEqual([])
    await stays.close()
    await writer.close()
  })

  test('a process that was stopped and continued knows that its batch is not its own any more', async () => {
    const settings = await openTopic()
    const writer = await openKafkaLogWriter({ settings, logger })
    const sessionTimeoutMs = 2_000
    const childFile = fileURLToPath(new URL('./reader-child.ts', import.meta.url))
    const child = spawn(process.execPath, [childFile, JSON.stringify(settings), String(sessionTimeoutMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    const lines: string[] = []
    child.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)))
    const store = createStore()
    const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs })
    try {
      await Promise.all(Array.from({ length: 60 }, (_, index) => writer.append(toRecord(`${index}`))))
      await until(() => lines.length > 0)
      reader.start(store.handler, readerOptions, () => {})
      await until(() => reader.assigned().length === partitions && new Set(store.ids()).size === 60)
      child.kill('SIGCONT')
      await until(() => lines.length > 1)
      expect(lines[1]).toBe(lines[0]?.replace('begin', 'stale'))
      // And it comes back into the group.
      await until(() => reader.assigned().length < partitions)
    } finally {
      child.kill('SIGKILL')
      await ended
      await reader.close()
      await writer.close()
    }
  })
})
