/**
 * Deliveries, at the level of node:http. All other requests go to the Hono app on the same server; deliveries do not,
 * because making a Request and a Response of each costs more than all that is done with it (docs/decisions/0003). The rules
 * are not here: `gate.ts` decides before the body, `receive.ts` after it. Here is how a body is read and an answer written.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Logger } from '../runtime/logger.ts'
import { accepted, commonHeaders, refused, unavailable, type Answer } from './answer.ts'
import { tooLarge, webhookPath, type Gate, type Sender } from './gate.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import type { Receive } from './receive.ts'
import type { Refusals } from './refusals.ts'

export type WebhookListenerDeps = {
  gate: Gate
  receive: Receive
  metrics: IngestMetrics
  refusals: Refusals
  logger: Logger
  maxBodyBytes: number
  /** Most bytes of bodies that are being read at a time, over all connections. */
  maxBufferedBytes: number
  /** Takes what is not a delivery. */
  otherwise: RequestListener
}

export type WebhookListener = {
  onRequest: RequestListener
  /** For `Expect: 100-continue`: a body that is not wanted is not asked for. */
  onCheckContinue: RequestListener
}

const acceptedHeaders = toHeaders(accepted('0'.repeat(32)))

/** A refused body up to this size is let pass unread and the connection lives on; a larger one ends the connection. */
const maxUnreadBytes = 65_536
/** How long a refused sender may go on sending before the connection is cut; it needs the time to see the answer. */
const lingerMs = 1_000

export function createWebhookListener(deps: WebhookListenerDeps): WebhookListener {
  const { gate, receive, metrics, refusals, logger, maxBodyBytes } = deps
  const overSize = tooLarge(maxBodyBytes)
  const crowded = unavailable('unavailable', 'Too many large bodies at a time. Send it again later.', 1_000)
  const broken = refused('error', 500, 'Something went wrong here. Nothing was stored.')
  let bufferedBytes = 0

  function settle(source: string, answer: Answer): void {
    metrics.countRequest(source, answer.outcome)
    refusals.note(source, answer)
  }

  function handle(request: IncomingMessage, response: ServerResponse, isContinueExpected: boolean): void {
    const target = request.url as string
    const isDelivery = target.startsWith(webhookPath) && request.method !== 'GET' && request.method !== 'HEAD'
    if (!isDelivery) return deps.otherwise(request, response)
    const admission = gate.admit(request.method as string, target, request.headers)
    if (!admission.admitted) {
      // No name for a token that is not known; the other refusals do not tell whose it was either, to keep one path.
      settle('', admission.answer)
      return refuse(request, response, admission.answer)
    }
    if (isContinueExpected) response.writeContinue()
    readBody(request, response, admission.sender)
  }

  function readBody(request: IncomingMessage, response: ServerResponse, sender: Sender): void {
    let chunks: Uint8Array[] | undefined = []
    let size = 0

    function stopReading(): void {
      chunks = undefined
      bufferedBytes -= size
      request.off('data', onData)
    }
    function onData(chunk: Uint8Array): void {
      size += chunk.byteLength
      bufferedBytes += chunk.byteLength
      chunks?.push(chunk)
      if (size <= maxBodyBytes && bufferedBytes <= deps.maxBufferedBytes) return
      const answer = size > maxBodyBytes ? overSize : crowded
      stopReading()
      settle(sender.source, answer)
      refuse(request, response, answer)
    }
    request.on('data', onData)
    request.on('end', () => {
      if (chunks === undefined) return
      const body = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
      stopReading()
      receive(sender, request.headers, body).then(
        (answer) => {
          settle(sender.source, answer)
          respond(response, answer)
        },
        (error: unknown) => {
          logger.error({ err: error }, 'A delivery failed unexpectedly')
          metrics.countRequest(sender.source, 'error')
          respond(response, broken)
        },
      )
    })
    // The sender went away in the middle: nothing was promised, nothing is kept.
    request.on('error', () => {
      if (chunks === undefined) return
      stopReading()
      metrics.countRequest(sender.source, 'aborted')
    })
  }

  return {
    onRequest: (request, response) => handle(request, response, false),
    onCheckContinue: (request, response) => handle(request, response, true),
  }
}

function respond(response: ServerResponse, answer: Answer): void {
  if (answer.outcome === 'accepted') {
    // By far the most, all of one length, and plain ASCII, which Node writes faster when told so.
    response.writeHead(200, acceptedHeaders)
    response.end(answer.body, 'latin1')
    return
  }
  response.writeHead(answer.status, toHeaders(answer))
  response.end(answer.body)
}

/**
 * Answers while a body may still be coming. Closing at once would reset the connection, and the sender would never see
 * the answer: so the answer goes out whole, and the connection is closed when the sender is done or its time is up.
 */
function refuse(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const isSmall = Number(request.headers['content-length'] ?? 0) <= maxUnreadBytes
  if (isSmall && request.headers['transfer-encoding'] === undefined) return respond(response, answer)
  response.writeHead(answer.status, [...toHeaders(answer), 'connection', 'close'])
  response.write(answer.body)
  const timer = setTimeout(() => request.socket.destroy(), lingerMs)
  const finish = () => {
    clearTimeout(timer)
    response.end()
  }
  request.once('end', finish)
  request.once('error', finish)
  request.resume()
}

function toHeaders(answer: Answer): string[] {
  return [...commonHeaders, ...answer.headers, 'content-length', String(Buffer.byteLength(answer.body))]
}
