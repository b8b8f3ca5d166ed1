/** Ingest on a port: the rules, the app, and the server around it. */
import { METHODS } from 'node:http'
import { Hono } from 'hono'
import { readDelivery } from '../../schemas/webhook/parse-delivery.ts'
import type { Config } from '../config/config.ts'
import type { Network } from '../config/networks.ts'
import { checkTokenNames, readTokenFile, toLiveTokens } from '../config/token-file.ts'
import type { IngestToken } from '../config/token.ts'
import type { LogWriter, TakeDelivery } from '../event-log/event-log.ts'
import { createAllowList } from '../runtime/http/allow-list.ts'
import { createHealthApp, type Health } from '../runtime/http/health.ts'
import { listen, toListener } from '../runtime/http/listen.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Telemetry } from '../runtime/telemetry.ts'
import type { Tracing } from '../runtime/tracing.ts'
import { type Answer, broken, commonHeaders, notFound } from './door/answer.ts'
import { createDeliveryRoute, type DeliveryRoute, type IngestEnv } from './door/delivery-route.ts'
import { createGate, type Gate } from './door/gate.ts'
import { createRefusals } from './door/refusals.ts'
import { followTokenFile } from './follow-token-file.ts'
import { createIngestMetrics } from './ingest-metrics.ts'

export type IngestOptions = Pick<
  Config,
  'host' | 'signatureSecrets' | 'maxBodyBytes' | 'rateLimitPerSecond'
> & {
  port: number
  tokens: readonly IngestToken[]
  /** Where `rollcall tokens` records added and revoked tokens: followed while ingest runs. Default: nowhere. */
  tokenDirectory?: string
  /** Who may send, and which proxies are trusted; see `runtime/http/allow-list.ts`. Default: everybody. */
  allowedNetworks?: readonly Network[]
  trustedProxies?: readonly Network[]
  /** Time limits for the headers and for the whole request. Default 10 s and 30 s. */
  headersTimeoutMs?: number
  requestTimeoutMs?: number
  /** How long a sender that was refused in the middle of a body may continue. Default 1 s. */
  lingerMs?: number
}

export type IngestDeps = {
  /** `take`: where the log reads deliveries on its own thread; else they are read here. */
  log: LogWriter & { health(): Health; take?: TakeDelivery }
  telemetry: Telemetry
  logger: Logger
  now?: () => number
  tracing?: Tracing | undefined
}

export type Ingest = Awaited<ReturnType<typeof openIngest>>

/** Bodies being read: enough for thousands of usual ones, and a bound for slow ones. */
const maxBufferedBytes = 128 * 1024 ** 2
const maxConnections = 10_000
/** A moment in which the refusal and the health check can be seen before the port closes. */
const drainMs = 100

export async function openIngest(options: IngestOptions, deps: IngestDeps) {
  const { log, logger, telemetry, now = Date.now, tracing } = deps
  const { signatureSecrets, maxBodyBytes, rateLimitPerSecond, tokenDirectory } = options
  const { allowedNetworks: allowed = [], trustedProxies = [] } = options
  const tokenFile = tokenDirectory === undefined ? { tokens: [], revoked: [] } : readTokenFile(tokenDirectory)
  checkTokenNames(options.tokens, tokenFile, signatureSecrets)
  const tokens = toLiveTokens(options.tokens, tokenFile)
  const isAllowed = createAllowList({ allowed, trustedProxies })
  const gate = createGate({ tokens, signatureSecrets, maxBodyBytes, rateLimitPerSecond, isAllowed, now })
  const metrics = createIngestMetrics(telemetry.registry)
  let isStopping = false
  const isReady = (): Health => (isStopping ? { ok: false, reason: 'stopping' } : log.health())
  const refusals = createRefusals(now)
  const route = createDeliveryRoute({
    take: log.take ?? createTake(log),
    metrics,
    logger,
    now,
    tracing,
    gate,
    refusals,
    maxBodyBytes,
    maxBufferedBytes,
    lingerMs: options.lingerMs ?? 1_000,
  })
  const app = createIngestApp({ gate, route, isReady, logger })
  const requestTimeout = options.requestTimeoutMs ?? 30_000
  const headersTimeout = Math.min(options.headersTimeoutMs ?? 10_000, requestTimeout)
  const server = await listen({
    handler: toListener(app, {
      readsLeftovers: false,
      // For a request that Hono's adapter cannot read, such as one with an invalid Host. No address of ours has that form.
      onUnreadable: () => toResponse(notFound),
    }),
    host: options.host,
    port: options.port,
    portVariable: 'INGEST_PORT',
    serverOptions: {
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.min(1_000, headersTimeout),
      // Longer than the usual 60 s of load balancers: so they close first, and no request meets a closed connection.
      keepAliveTimeout: 75_000,
      maxHeaderSize: 16_384,
    },
    prepare: (httpServer) => void (httpServer.maxConnections = maxConnections),
  })
  const stopFollowing =
    tokenDirectory === undefined
      ? undefined
      : followTokenFile(tokenDirectory, tokenFile, {
          onChange(file) {
            const live = toLiveTokens(options.tokens, file)
            gate.setTokens(live)
            logger.info({ tokens: live.length }, 'The ingest tokens have changed')
          },
          onError: (error) =>
            logger.error({ err: error }, 'The token file cannot be read; the tokens stay as they were'),
        })
  return {
    port: server.port,
    url: server.url,
    isReady,
    /** The last refused requests that were not kept, newest first. */
    refusals: () => refusals.recent(),
    /** Refuses new requests with 503, finishes those in progress, and closes; cuts what remains after `timeoutMs`. */
    async close(timeoutMs: number): Promise<void> {
      isStopping = true
      stopFollowing?.()
      gate.stop()
      await new Promise((resolve) => setTimeout(resolve, drainMs))
      await server.close(timeoutMs)
    },
  }
}

/** Takes raw deliveries into a log that has no thread to read them on: reads each one where it is called. */
export function createTake(log: Pick<LogWriter, 'append'>): TakeDelivery {
  return async (delivery) => {
    // The key stays in here: only the log needs it, and only until it has the record.
    const { key, eventId, problems } = readDelivery(delivery.body)
    await log.append({ ...delivery, key, eventId })
    return { eventId, problems }
  }
}

// All requests that ingest answers: deliveries, health, and a text for a person who opens a webhook address in a browser.

type IngestAppDeps = { gate: Gate; route: DeliveryRoute; isReady: () => Health; logger: Logger }

const readyText =
  'This address is ready. It takes webhooks: have the platform POST its events here.\n' +
  'Anybody who knows this address can send events, so keep it secret.\n'

const isRead = (method: string) => method === 'GET' || method === 'HEAD'
const otherMethods = METHODS.filter((method) => method !== 'POST' && !isRead(method))
/** The common headers for Hono, and those that keep a browser from interpreting an answer. */
const pageHeaders = {
  ...commonHeaders,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

function createIngestApp({ gate, route, isReady, logger }: IngestAppDeps): Hono<IngestEnv> {
  const app = new Hono<IngestEnv>()
  // One handler and no middleware: Hono then calls it straight, which counts at tens of thousands of deliveries a second.
  app.post('/webhooks/:token', route.deliver)
  app.post('/webhooks/:token/', route.deliver)
  app.on(otherMethods, '/webhooks/:token', route.deliver)

  app.get('*', async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(pageHeaders))
      if (name !== 'content-type') c.header(name, value)
  })
  app.get('/webhooks/:token', (c) =>
    gate.findSender(c.req.param('token')) === undefined ? c.notFound() : c.text(readyText),
  )
  app.route('/', createHealthApp(isReady))
  app.notFound((c) => (isRead(c.req.method) ? toResponse(notFound) : route.refuse(c, notFound)))
  app.onError((error) => {
    logger.error({ err: error }, 'A request failed unexpectedly')
    return toResponse(broken)
  })
  return app
}

function toResponse({ body, status }: Answer): Response {
  return new Response(body, { status, headers: pageHeaders })
}

export function toIngestOptions(config: Config): IngestOptions {
  const { host, signatureSecrets, maxBodyBytes, rateLimitPerSecond, allowedNetworks, trustedProxies } = config
  const rules = { signatureSecrets, maxBodyBytes, rateLimitPerSecond, allowedNetworks, trustedProxies }
  const { ingestPort: port, ingestTokens: tokens, dataDir: tokenDirectory } = config
  return { host, port, tokens, tokenDirectory, ...rules }
}
