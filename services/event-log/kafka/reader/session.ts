/**
 * One life of a consumer in the group, from its connection until it breaks or is closed; the reader opens the next one.
 * The client library would also restart by itself, but not after every error, and cannot be closed meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Consumer, Kafka } from 'kafkajs'
import { repeat } from '../../../runtime/repeat.ts'
import type { ReaderOptions } from '../../event-log.ts'
import { createFetchedHandler } from './handle-fetched.ts'
import { createLeases, type SessionContext } from './lease.ts'
import { createPositions } from './positions.ts'

type SessionOptions = Pick<SessionContext, 'topic' | 'handler' | 'logger' | 'exclusive' | 'onError'> & {
  kafka: Kafka
  groupId: string
  sessionTimeoutMs: number
  limits: ReaderOptions
}

export type Session = ReturnType<typeof openKafkaSession>

/** Compressed bytes of one fetch: with bodies like ours, some ten times that in memory. */
const maxFetchBytes = 8 * 1024 ** 2
const maxFetchBytesPerPartition = 4 * 1024 ** 2
/** How long a fetch waits where nothing is asked to wait for more records. */
const idleFetchMs = 250
/** How long the group waits for its members when it shares out partitions. */
const rebalanceTimeoutMs = 60_000
const lookIntervalMs = 1_000
const leaveTimeoutMs = 5_000

export function openKafkaSession(options: SessionOptions) {
  const { topic, groupId, sessionTimeoutMs, handler, limits, logger, exclusive, onError } = options
  const heartbeatIntervalMs = Math.ceil(sessionTimeoutMs / 10)
  const consumer = createGroupMember(options, heartbeatIntervalMs)
  const admin = options.kafka.admin()
  const closing = new AbortController()
  const stopping = closing.signal
  const leases = createLeases(sessionTimeoutMs, stopping)
  const end = Promise.withResolvers<unknown>()
  /** Resolves when the first join is over. */
  const joined = Promise.withResolvers<void>()
  const fail = (error: unknown) => {
    joined.resolve()
    end.resolve(error)
  }

  const context: SessionContext = { consumer, admin, topic, handler, exclusive, leases, logger, onError }
  const positions = createPositions({
    ...context,
    stopping,
    onChanged(changed) {
      logger.info({ ...changed, topic }, 'The topic has other partitions')
      end.resolve(new Error('The topic has other partitions'))
    },
  })
  const eachBatch = createFetchedHandler({ ...context, limits, heartbeatIntervalMs, positions })

  consumer.on(consumer.events.REQUEST, ({ payload: { apiName, sentAt } }) => {
    if (apiName === 'SyncGroup' || apiName === 'Heartbeat') leases.heard(sentAt)
  })
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    // The library runs a moment after it says so.
    setImmediate(joined.resolve)
    if (stopping.aborted) return
    const partitions = payload.memberAssignment[topic] ?? []
    logger.info({ partitions, groupId }, 'Kafka has assigned partitions')
    // Nothing is fetched of them until the handler has said from where.
    for (const lease of leases.assign(partitions)) void positions.restart(lease)
  })
  // Marks and aborted records of transactions come in no batch. They are passed where they follow what is handled without a gap.
  consumer.on(
    consumer.events.END_BATCH_PROCESS,
    ({ payload: { partition, batchSize, firstOffset, lastOffset } }) => {
      const lease = leases.get(partition)
      if (batchSize > 0 || lease?.position === undefined || lease.position !== Number(firstOffset)) return
      lease.position = Number(lastOffset) + 1
    },
  )
  consumer.on(consumer.events.CRASH, ({ payload }) => fail(payload.error))
  const stopWatch = repeat(lookIntervalMs, async () => {
    if (leases.silentMs() > sessionTimeoutMs + rebalanceTimeoutMs) {
      end.resolve(new Error('Nothing has been heard of the group'))
    }
    await positions.look().catch((error: unknown) => {
      logger.debug({ err: error }, 'The ends of the partitions are not known')
    })
  })
  void run().catch(fail)

  async function run(): Promise<void> {
    await Promise.all([admin.connect(), consumer.connect()])
    await positions.look()
    if (stopping.aborted) return joined.resolve()
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
  }

  return {
    /** Resolves with what broke it, or with `undefined` after a close. */
    ended: end.promise,
    assigned: leases.assigned,
    // Also while nothing is heard of the group: then nobody else may know that something waits.
    lag: leases.lag,
    /** Waits for the batch under way. */
    async close(): Promise<void> {
      closing.abort()
      stopWatch()
      await exclusive(() => Promise.resolve())
      // A broker that has vanished does not answer to a goodbye, and nothing depends on it.
      // The library does not end what still joins: it would be a member that reads nothing, and nobody else would read its partitions.
      const goodbye = joined.promise.then(() =>
        Promise.allSettled([consumer.disconnect(), admin.disconnect()]),
      )
      await Promise.race([goodbye, pause(leaveTimeoutMs, undefined, { ref: false })])
      end.resolve(undefined)
    },
  }
}

function createGroupMember(options: SessionOptions, heartbeatInterval: number): Consumer {
  const { groupId, sessionTimeoutMs, limits } = options
  return options.kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    heartbeatInterval,
    allowAutoTopicCreation: false,
    // A partition whose leader was not known at the last look, as after a broker's crash, is read after the next one.
    metadataMaxAge: 10_000,
    maxBytes: maxFetchBytes,
    maxBytesPerPartition: maxFetchBytesPerPartition,
    // The broker gathers records for us: it answers at once if there is plenty, and at the latest after the interval.
    minBytes: limits.minBatchIntervalMs > 0 ? maxFetchBytesPerPartition : 1,
    maxWaitTimeInMs: limits.minBatchIntervalMs > 0 ? limits.minBatchIntervalMs : idleFetchMs,
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 1_000,
      retries: 4,
      restartOnFailure: () => Promise.resolve(false),
    },
  })
}
