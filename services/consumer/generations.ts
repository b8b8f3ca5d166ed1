/**
 * A position belongs to one log. Kafka knows a topic by name; a recreated or different topic gives the same offsets to
 * other records. So every log that replaces another begins a generation, in which nothing is stored yet. The generation
 * is in the upper bits of every stored offset: comparisons of places stay correct without knowing of it, and of one event
 * the delivery by the older log counts as the earlier one.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { BatchHandler, LogBatch, LogSlice } from '../event-log/event-log.ts'
import { toAssignmentKey } from '../../schemas/webhook/event-bits.ts'
import { prepareRecord } from './rows.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { select } from './statements.ts'

/** Offsets for one partition of one log. Times `maxGenerations` it is 2^53, the most that a number holds exactly. */
export const offsetsPerGeneration = 2 ** 43
const maxGenerations = 2 ** 10

/** How often a generation claimed by two logs is given up for the next one. */
const maxTries = 10

/** Handles records with the store's offsets. */
export type StoreHandler = Pick<BatchHandler, 'handle' | 'caughtUp'> & {
  /** Where to resume among the offsets of the generation that begins at `from`. Default: the first. */
  resumeFrom(partition: number, from?: number): Promise<number>
}

export type GenerationsOptions = {
  client: ClickHouseClient
  /** The log's name: `kafka:` and the topic. */
  log: string
  /** How many partitions it has. Default: unknown, and nothing is concluded from it. */
  partitions?: number
  /** Whether the store keeps every failed event. If not, one that is missing says nothing of the log. Default: it does. */
  keepsFailed?: boolean
  /** Called when another log replaces one that was read before. */
  onNewLog?: (log: { generation: number; log: string }) => void
}

export function toLogName(topic: string): string {
  return `kafka:${topic}`
}

export function toGeneration(offset: number): number {
  return Math.floor(offset / offsetsPerGeneration)
}

export function withGenerations(
  handler: StoreHandler,
  initial: GenerationsOptions,
): BatchHandler & Required<Pick<BatchHandler, 'hasStored' | 'otherLog' | 'counted'>> {
  const options = { ...initial }
  const { client } = options
  /**
   * As of the start in the partition: another consumer may have begun a newer generation, which the next start asks for.
   */
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
    caughtUp: (partition, nextOffset, ...at) => handler.caughtUp(partition, beginOf(partition) + nextOffset, ...at),
    async hasStored(partition, record) {
      const prepared = prepareRecord(record, partition)
      if (prepared.outcome === 'failed' && options.keepsFailed === false) return true
      const keys = [toAssignmentKey(record.key), ...(prepared.outcome === 'event' ? [prepared.assignmentKey] : [])].map(
        BigInt,
      )
      const place = { partition, offset: beginOf(partition) + record.offset }
      const [row] = await select<{ isStored: number }>(client, 'stored-record', { keys, id: record.eventId, ...place })
      return row?.isStored === 1
    },
    async otherLog(partition) {
      const oldGeneration = generations.get(partition) ?? 0
      const newest = await readNewest(client)
      // The owner of another partition may have noticed it first.
      if (newest === undefined || newest.generation <= oldGeneration) await claim(options, oldGeneration + 1)
    },
    async counted(partitions) {
      options.partitions = partitions
      await openGeneration(options)
    },
  }
}

/** The records that a log still has, at their places in the store. Begins no generation for a log that has one. */
export async function* toStoredSlices(
  slices: AsyncIterable<LogSlice>,
  options: GenerationsOptions,
): AsyncGenerator<LogSlice> {
  const { client, log } = options
  const [row] = await select<{ generation: number }>(client, 'generation-of-log', { log })
  const from = toFirstOffset(row?.generation ?? (await openGeneration(options)))
  for await (const { partition, records } of slices) {
    yield { partition, records: records.map((record) => ({ ...record, offset: from + record.offset })) }
  }
}

/** The generation of this log: the newest one, or a new one if that belongs to another log. */
async function openGeneration(options: GenerationsOptions): Promise<number> {
  const { client, log } = options
  for (let tries = 0; tries < maxTries; tries++) {
    const newest = await readNewest(client)
    if (newest?.logs.length === 1 && newest.logs[0] === log) {
      // A topic may have got more of them since.
      if (newest.partitions < (options.partitions ?? 0)) await name(options, newest.generation)
      return newest.generation
    }
    await claim(options, newest === undefined ? 0 : newest.generation + 1)
  }
  throw new Error(`Several topics are read into this store at once, one of them ${log}. One store takes one topic.`)
}

async function claim(options: GenerationsOptions, generation: number): Promise<void> {
  if (generation >= maxGenerations) throw new Error(`This store has read ${generation} logs and takes no further one.`)
  await name(options, generation)
  if (generation > 0) options.onNewLog?.({ generation, log: options.log })
}

async function name({ client, log, partitions = 1 }: GenerationsOptions, generation: number) {
  await insertRows(client, 'logs', [{ generation, log, began_at: Date.now(), partitions }])
}

type Newest = { generation: number; logs: string[]; partitions: number }

async function readNewest(client: ClickHouseClient): Promise<Newest | undefined> {
  const rows = await select<{ generation: number; log: string; partitions: number }>(client, 'newest-logs')
  const [first] = rows
  return (
    first && {
      generation: first.generation,
      logs: rows.map(({ log }) => log),
      partitions: Math.max(...rows.map(({ partitions }) => partitions)),
    }
  )
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
