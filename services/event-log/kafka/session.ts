/**
 * One life of a consumer in the group, from its connection until it breaks or is closed; the reader opens the next one.
 * The client library would also restart by itself, but not after every error, and cannot be closed meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Admin, EachBatchPayload, Kafka } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'
import type { BatchHandler, PositionedRecord, ReaderOptions } from '../event-log.ts'
import { toText } from './errors.ts'
import { createLease, cutBatches, firstRetryMs, nextRetryMs, toLag, type Lease } from './lease.ts'
import { createMembership } from './membership.ts'
import { isFromPosition, readOffsets, type LogGap } from './place.ts'
import { createPlacement } from './placement.ts'

export type SessionOptions = {
  kafka: Kafka
  topic: string
  groupId: string
  sessionTimeoutMs: number
  rebalanceTimeoutMs: number
  handler: BatchHandler
  limits: ReaderOptions
  logger: Logger
  /** Runs one call of the handler at a time. */
  exclusive: <T>(step: () => Promise<T>) => Promise<T>
  onError: (error: unknown) => void
  onGap: (gap: LogGap) => void
}

export type Session = {
  /** Resolves with what broke it, or with `undefined` after a close. */
  ended: Promise<unknown>
  assigned(): number[]
  lag(): ReturnType<typeof toLag>[]
  /** Waits for the batch under way. */
  close(): Promise<void>
}

/** Compressed bytes of one fetch: with bodies like ours, some ten times that in memory. */
const maxFetchBytes = 8 * 1024 ** 2
const maxFetchBytesPerPartition = 4 * 1024 ** 2
/** How long a fetch waits where nothing is asked to wait for more records. */
const idleFetchMs = 250
const lookIntervalMs = 1_000
const leaveTimeoutMs = 5_000

export function openKafkaSession(options: SessionOptions): Session {
  const { kafka, topic, groupId, sessionTimeoutMs, rebalanceTimeoutMs, handler, limits, logger, exclusive } = options
  const heartbeatIntervalMs = Math.ceil(sessionTimeoutMs / 10)
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    heartbeatInterval: heartbeatIntervalMs,
    allowAutoTopicCreation: false,
    maxBytes: maxFetchBytes,
    maxBytesPerPartition: maxFetchBytesPerPartition,
    // The broker gathers records for us: it answers at once if there is plenty, and at the latest after the interval.
    minBytes: limits.minBatchIntervalMs > 0 ? maxFetchBytesPerPartition : 1,
    maxWaitTimeInMs: limits.minBatchIntervalMs > 0 ? limits.minBatchIntervalMs : idleFetchMs,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4, restartOnFailure: () => Promise.resolve(false) },
  })
  const admin: Admin = kafka.admin()
  const membership = createMembership({ sessionTimeoutMs, rebalanceTimeoutMs, marginMs: heartbeatIntervalMs })
  const stopping = new AbortController()
  const end = Promise.withResolvers<unknown>()
  const commits = new Set<Promise<void>>()
  let leases = new Map<number, Lease>()

  consumer.on(consumer.events.REQUEST, ({ payload }) => {
    if (payload.apiName === 'SyncGroup') membership.joined(payload.sentAt)
    if (payload.apiName === 'Heartbeat') membership.heard(payload.sentAt)
  })
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const partitions = payload.memberAssignment[topic] ?? []
    const now = Date.now()
    leases = new Map(partitions.map((partition) => [partition, createLease(partition, now)]))
    logger.info({ partitions, groupId }, 'Kafka has assigned partitions')
    // Nothing is fetched of them until the handler has said from where.
    for (const lease of leases.values()) void restart(lease, 0)
  })
  // The client tries again by itself, and tells only of what it has fetched.
  const fetching = new Set<number>()
  consumer.on(consumer.events.FETCH_START, ({ payload: { nodeId } }) => {
    if (fetching.has(nodeId)) for (const lease of leases.values()) lease.isDoubtful = true
    fetching.add(nodeId)
  })
  consumer.on(consumer.events.FETCH, ({ payload }) => fetching.delete(payload.nodeId))
  consumer.on(consumer.events.CRASH, ({ payload }) => end.resolve(payload.error))
  const watch = setInterval(() => void look(), lookIntervalMs)
  void run().catch((error: unknown) => end.resolve(error))

  async function run(): Promise<void> {
    await Promise.all([admin.connect(), consumer.connect()])
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: onBatch })
  }

  const isCurrent = (lease: Lease) => leases.get(lease.partition) === lease && !stopping.signal.aborted

  const sleep = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  const { restart, prove } = createPlacement({
    consumer,
    admin,
    topic,
    handler,
    exclusive,
    isCurrent,
    sleep,
    onError: options.onError,
    onGap: options.onGap,
    leave: (reason) => end.resolve(reason),
  })

  /** Once a second: where the log ends, what that means for who waits for it, and whether the group is silent. */
  async function look(): Promise<void> {
    if (membership.silentMs() > sessionTimeoutMs + rebalanceTimeoutMs) {
      end.resolve(new Error('Nothing has been heard of the group'))
    }
    const asOf = Date.now()
    const current = [...leases.values()]
    try {
      await readOffsets(admin, topic, current)
    } catch (error) {
      logger.debug({ err: error }, 'The ends of the partitions are not known')
      return
    }
    for (const lease of current) lease.target ??= { asOf, endOffset: lease.endOffset }
    for (const lease of current) await tellIfCaughtUp(lease)
  }

  async function tellIfCaughtUp(lease: Lease): Promise<void> {
    await exclusive(async () => {
      const { position, target } = lease
      if (!isCurrent(lease) || !membership.isLive()) return
      if (position === undefined || target === undefined || position < target.endOffset) return
      lease.target = undefined
      lease.oldestAt = Math.max(lease.oldestAt, target.asOf)
      await handler.caughtUp(lease.partition, position, target.asOf)
    }).catch(options.onError)
  }

  async function onBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const lease = leases.get(batch.partition)
    if (lease?.position === undefined || stopping.signal.aborted) return
    lease.endOffset = Math.max(lease.endOffset, Number(batch.highWatermark))
    if (
      lease.isDoubtful ||
      !isFromPosition(lease, Number((batch as typeof batch & { fetchedOffset: string }).fetchedOffset))
    ) {
      void restart(lease, 0)
      return
    }
    const beat = setInterval(() => void heartbeat(payload), heartbeatIntervalMs)
    try {
      const proven = await prove(lease, payload)
      if (proven === undefined) return throwNotice()
      for (const records of cutBatches(proven, limits)) {
        if (!isCurrent(lease) || !(await handle(lease, records, payload))) return
        const next = (records.at(-1) as PositionedRecord).offset + 1
        const isLast = next === Number(batch.messages.at(-1)?.offset) + 1
        // Marks of transactions take offsets and are not records: the client resolves them with the last one.
        lease.position = isLast ? Number(batch.lastOffset()) + 1 : next
        lease.reached = lease.position
        payload.resolveOffset(String(next - 1))
        commit(payload, batch.partition, next)
        await tellIfCaughtUp(lease)
        throwNotice()
      }
    } finally {
      clearInterval(beat)
    }
    throwNotice()
  }

  /** The client joins the group again when its own error comes back to it. */
  function throwNotice(): void {
    const notice = membership.notice()
    if (notice !== undefined) throw notice
  }

  /** `false`: not stored, it will be delivered again. */
  async function handle(
    lease: Lease,
    records: [PositionedRecord, ...PositionedRecord[]],
    payload: EachBatchPayload,
  ): Promise<boolean> {
    const isStale = () => leases.get(lease.partition) !== lease || !membership.isLive()
    lease.oldestAt = records[0].receivedAt
    try {
      const isHandled = await exclusive(async () => {
        // Other partitions had their turn before; by now it may be someone else's, or time to stop.
        if (!isCurrent(lease)) return false
        await handler.handle({
          partition: lease.partition,
          records,
          endOffset: Math.max(lease.endOffset, (records.at(-1) as PositionedRecord).offset + 1),
          heartbeat: () => heartbeat(payload),
          isStale,
        })
        return true
      })
      if (!isHandled) return false
    } catch (error) {
      // Who has lost the partition must stop; that is no failure.
      if (!isStale()) options.onError(error)
      if (isCurrent(lease)) void restart(lease, nextRetryMs(lease))
      throwNotice()
      return false
    }
    lease.retryMs = firstRetryMs
    lease.oldestAt = (records.at(-1) as PositionedRecord).receivedAt
    return true
  }

  /** Never rejects: what it finds out is in `isStale`. A broker that is away does not stop a batch while it is still ours. */
  async function heartbeat(payload: EachBatchPayload): Promise<void> {
    try {
      await payload.heartbeat()
    } catch (error) {
      membership.refused(error)
    }
  }

  /** For tools that show lag; nothing of ours reads it. */
  function commit(payload: EachBatchPayload, partition: number, next: number): void {
    const committed = payload
      .commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: String(next) }] }] })
      .catch((error: unknown) => logger.debug({ says: toText(error) }, 'The offset could not be committed'))
      .finally(() => commits.delete(committed))
    commits.add(committed)
  }

  return {
    ended: end.promise,
    assigned: () => (membership.isLive() && !stopping.signal.aborted ? [...leases.keys()] : []),
    lag: () => [...leases.values()].map((lease) => toLag(lease, Date.now())),
    async close() {
      stopping.abort()
      clearInterval(watch)
      await exclusive(() => Promise.resolve())
      // A broker that has vanished does not answer to a goodbye, and nothing depends on it.
      const goodbye = Promise.allSettled(commits).then(() =>
        Promise.allSettled([consumer.disconnect(), admin.disconnect()]),
      )
      await Promise.race([goodbye, pause(leaveTimeoutMs, undefined, { ref: false })])
      end.resolve(undefined)
    },
  }
}
