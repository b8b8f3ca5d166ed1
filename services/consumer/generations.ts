/**
 * A position belongs to one log. Kafka knows a topic by its name, and one that was made anew, or another one, gives the same
 * offsets to other records; so every log that takes another's place begins a new generation, in which nothing is stored yet.
 * The generation is in the upper bits of every offset that the store keeps: whatever compares places is right without
 * knowing of it, and of one event the delivery by the older log is the earlier one.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { BatchHandler, LogBatch, LogSlice } from '../event-log/event-log.ts'
import { toAssignmentKey } from '../../schemas/webhook/assignment-key.ts'
import { prepareRecord } from './rows.ts'
import { insertRows } from './store/insert-rows.ts'
import { selectRows } from './store/sql.ts'

/** Records of one partition of one log: 8.8 million millions. Times the generations it is what a number holds exactly. */
export const offsetsPerGeneration = 2 ** 43
const maxGenerations = 2 ** 10

/** How often a generation that two logs have claimed at once is given up for the next one. */
const maxTries = 10

/** Handles records whose offsets are those of the store. */
export type StoreHandler = Pick<BatchHandler, 'handle' | 'caughtUp'> & {
  /** Where to resume among the offsets of the generation that begins at `from`; default the first. */
  resumeFrom(partition: number, from?: number): Promise<number>
}

export type GenerationsOptions = {
  client: ClickHouseClient
  /** Which log is read: `kafka:` and the name of the topic. */
  log: string
  /** Told when another log takes the place of one that was read before. */
  onNewLog?: (log: { generation: number; log: string }) => void
  /** Epoch ms; default the machine's clock. */
  now?: () => number
}

export function toLogName(topic: string): string {
  return `kafka:${topic}`
}

export function toGeneration(offset: number): number {
  return Math.floor(offset / offsetsPerGeneration)
}

/** From the offsets of a log to those of the store, and back for where to resume. */
export function withGenerations(
  handler: StoreHandler,
  options: GenerationsOptions,
): BatchHandler & Required<Pick<BatchHandler, 'hasStored' | 'otherLog'>> {
  const { client } = options
  /** As of when reading the partition began: others may have begun a newer one since, which is asked for with the next start. */
  const generations = new Map<number, number>()
  const beginOf = (partition: number) => toFirstOffset(generations.get(partition) ?? 0)

  return {
    async resumeFrom(partition) {
      const generation = await openGeneration(options)
      generations.set(partition, generation)
      const from = toFirstOffset(generation)
      return (await handler.resumeFrom(partition, from)) - from
    },
    handle: (batch) => handler.handle({ ...batch, ...toStorePlaces(batch, beginOf(batch.partition)) }),
    caughtUp: (partition, nextOffset, asOf) => handler.caughtUp(partition, beginOf(partition) + nextOffset, asOf),
    async hasStored(partition, record) {
      const prepared = prepareRecord(record, partition)
      const keys = [toAssignmentKey(record.key), ...(prepared.outcome === 'event' ? [prepared.assignmentKey] : [])].map(
        BigInt,
      )
      const [row] = await selectRows<{ isStored: number }>(client, 'stored-record', { keys, id: record.eventId })
      return row?.isStored === 1
    },
    async otherLog(partition) {
      const left = generations.get(partition) ?? 0
      const newest = await readNewest(client)
      // Whoever has another partition may have found it out first.
      if (newest === undefined || newest.generation <= left) await claim(options, left + 1)
    },
  }
}

/** What a log still has, at its places in the store. Begins no generation for a log that has one. */
export async function* toStoredSlices(
  slices: AsyncIterable<LogSlice>,
  options: GenerationsOptions,
): AsyncGenerator<LogSlice> {
  const { client, log } = options
  const [known] = await selectRows<{ generation: number }>(client, 'generation-of-log', { log })
  const from = toFirstOffset(known?.generation ?? (await openGeneration(options)))
  for await (const { partition, records } of slices) {
    yield { partition, records: records.map((record) => ({ ...record, offset: from + record.offset })) }
  }
}

/** The generation of this log: the newest one, or a new one if that is another log's. */
async function openGeneration(options: GenerationsOptions): Promise<number> {
  const { client, log } = options
  for (let tries = 0; tries < maxTries; tries++) {
    const newest = await readNewest(client)
    if (newest?.logs.length === 1 && newest.logs[0] === log) return newest.generation
    // Of a store from before the logs were named, the present one is the one it has read: then the records agree as well.
    await claim(options, newest === undefined ? 0 : newest.generation + 1)
  }
  throw new Error(`Several topics are read into this store at once, one of them ${log}. One store takes one topic.`)
}

async function claim({ client, log, onNewLog, now = Date.now }: GenerationsOptions, generation: number): Promise<void> {
  if (generation >= maxGenerations) throw new Error(`This store has read ${generation} logs and takes no further one.`)
  await insertRows(client, 'logs', [{ generation, log, began_at: now() }])
  if (generation > 0) onNewLog?.({ generation, log })
}

async function readNewest(client: ClickHouseClient): Promise<{ generation: number; logs: string[] } | undefined> {
  const rows = await selectRows<{ generation: number; log: string }>(client, 'newest-logs', {})
  const [first] = rows
  return first && { generation: first.generation, logs: rows.map(({ log }) => log) }
}

function toFirstOffset(generation: number): number {
  return generation * offsetsPerGeneration
}

function toStorePlaces({ records, endOffset }: LogBatch, from: number): Pick<LogBatch, 'records' | 'endOffset'> {
  const last = records.at(-1)
  if (last !== undefined && last.offset >= offsetsPerGeneration)
    throw new Error(`The offset ${last.offset} is too large`)
  return {
    records: records.map((record) => ({ ...record, offset: from + record.offset })),
    endOffset: from + endOffset,
  }
}
