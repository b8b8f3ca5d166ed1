/** How writer, reader and topic check reach Kafka. */
import { createRequire } from 'node:module'
import { zstdDecompressSync } from 'node:zlib'
import kafkajs, { type Kafka as KafkaClient, type LogEntry, type SASLOptions } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'

export type KafkaSettings = {
  /** `host:port` of some brokers; the others are found through them. */
  brokers: readonly string[]
  topic: string
  /** Consumers of one group share the partitions. */
  groupId: string
  /** Default `none`: unauthenticated. */
  sasl?: SASLOptions | undefined
  /**
   * PEM texts. `{}` is TLS with the machine's own authorities; certificate and key are this client's, if brokers require
   * them.
   */
  tls?: { ca?: string | undefined; certificate?: string | undefined; key?: string | undefined } | undefined
}

const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs

/** For reading: the writer compresses by itself (`writer/record-batch.ts`). */
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: () => Promise.reject(new Error('Batches are compressed before they are handed to the library.')),
  decompress: (buffer: Buffer) => Promise.resolve(zstdDecompressSync(buffer)),
})

/**
 * The client (2.2.4) starts a timer after every answer, with a negative time unless a broker throttles it, which Node
 * warns about on stderr. The timer only matters for waiting requests.
 */
const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
  prototype: RequestQueue
}
const schedule = prototype.scheduleCheckPendingRequests
prototype.scheduleCheckPendingRequests = function () {
  if (this.pending.length > 0) schedule.call(this)
}

type RequestQueue = { pending: unknown[]; scheduleCheckPendingRequests(this: RequestQueue): void }

/** Opens nothing yet: its producers, consumers and admins do. `requestTimeoutMs`: limit for a broker's answer. */
export function createKafka(settings: KafkaSettings, logger: Logger, requestTimeoutMs = 30_000): KafkaClient {
  const { tls, sasl } = settings
  return new Kafka({
    brokers: [...settings.brokers],
    clientId: 'rollcall',
    connectionTimeout: 3_000,
    requestTimeout: requestTimeoutMs,
    ...(tls !== undefined && { ssl: { ca: tls.ca, cert: tls.certificate, key: tls.key } }),
    ...(sasl !== undefined && { sasl }),
    // Few and soon: the callers retry by themselves, the writer with its deadline, the reader with a new connection.
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
    logLevel: logLevel.INFO,
    logCreator: () => toLog(logger),
  })
}

/** The client logs as errors mere reasons to retry. Errors that it cannot recover from arrive as exceptions. */
function toLog(logger: Logger): (entry: LogEntry) => void {
  return ({ namespace, log }) => {
    const { broker, groupId, error } = log as { broker?: string; groupId?: string; error?: unknown }
    const says = error instanceof Error ? error.message : error
    const fields = { client: namespace, says: log.message, broker, groupId, error: says }
    logger.debug(fields, 'The Kafka client reports')
  }
}
