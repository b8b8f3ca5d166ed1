/**
 * The route of a delivery. It reads the body and writes the answer through Hono's Node bindings, because a Request body
 * and a Response cost as much as all the rest (docs/decisions/0003). The rules are in `gate.ts` (before the body) and
 * `receive.ts` (after it).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { accepted, type Answer, broken, commonHeaders, notFound, unavailable } from './answer.ts'
import { findOddRequest, type Gate, type Sender, tooLarge } from './gate.ts'
import { receive, type ReceiveDeps } from './receive.ts'
import type { Refusals } from './refusals.ts'

export type IngestEnv = { Bindings: HttpBindings }

type DeliveryRouteDeps = ReceiveDeps & {
  gate: Gate
  refusals: Refusals
  maxBodyBytes: number
  /** Maximum bytes of bodies being read at a time, over all connections. */
  maxBufferedBytes: number
  /** How long a refused sender may continue before its connection is cut: it needs time to see the answer. */
  lingerMs: number
}

export type DeliveryRoute = ReturnType<typeof createDeliveryRoute>

const crowded = unavailable('unavailable', 'Too many large bodies at a time. Send it again later.', 1_000)

export function createDeliveryRoute(deps: DeliveryRouteDeps) {
  const { gate, metrics, refusals, logger, maxBodyBytes } = deps
  const overSize = tooLarge(maxBodyBytes)
  let bufferedBytes = 0

  function settle(source: string, answer: Answer): void {
    metrics.countRequest(source, answer.outcome)
    refusals.note(source, answer)
  }

  function readBody({ incoming, outgoing }: HttpBindings, sender: Sender, oddRequest: string): void {
    let chunks: Uint8Array[] | undefined = []
    let size = 0

    function stopReading(): void {
      chunks = undefined
      bufferedBytes -= size
      incoming.off('data', onData)
    }
    function onData(chunk: Uint8Array): void {
      size += chunk.byteLength
      bufferedBytes += chunk.byteLength
      chunks?.push(chunk)
      if (size <= maxBodyBytes && bufferedBytes <= deps.maxBufferedBytes) return
      const answer = size > maxBodyBytes ? overSize : crowded
      stopReading()
      settle(sender.source, answer)
      writeRefusal(incoming, outgoing, answer, deps.lingerMs)
    }
    incoming.on('data', onData)
    incoming.on('end', () => {
      if (chunks === undefined) return
      const body = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
      stopReading()
      receive(deps, sender, incoming.headers, body, oddRequest).then(
        (answer) => {
          settle(sender.source, answer)
          writeAnswer(outgoing, answer)
        },
        (error: unknown) => {
          logger.error({ err: error }, 'A delivery failed unexpectedly')
          metrics.countRequest(sender.source, 'error')
          writeAnswer(outgoing, broken)
        },
      )
    })
    // The sender disconnected in the middle: nothing was promised, nothing is kept.
    incoming.on('error', () => {
      if (chunks === undefined) return
      stopReading()
      metrics.countRequest(sender.source, 'aborted')
    })
  }

  /** Answers a request without reading it, whatever it brings. `source`: default '', not known. */
  function refuse(c: Context<IngestEnv>, answer: Answer, source = ''): Response {
    settle(source, answer)
    writeRefusal(c.env.incoming, c.env.outgoing, answer, deps.lingerMs)
    return RESPONSE_ALREADY_SENT
  }

  return {
    refuse,
    /** Every method but GET and HEAD: the gate refuses those that are not POST. */
    deliver(c: Context<IngestEnv, '/webhooks/:token' | '/webhooks/:token/'>): Response {
      const { incoming } = c.env
      const { method = '', headers, socket } = incoming
      const sender = gate.findSender(c.req.param('token'))
      if (sender === undefined) return refuse(c, notFound)
      const refusal = gate.findRefusal(sender, method, headers, socket.remoteAddress)
      if (refusal !== undefined) return refuse(c, refusal, sender.source)
      readBody(c.env, sender, findOddRequest(c.req.path, incoming))
      // The answer follows when the log has the delivery. Hono has nothing to wait for.
      return RESPONSE_ALREADY_SENT
    },
  }
}

// Writes an answer to a connection at the level of node:http, which costs a fraction of a Response.

/** A refused body up to this size is discarded and the connection stays open; a larger one ends the connection. */
const maxUnreadBytes = 65_536
const commonHeaderList = Object.entries(commonHeaders).flat()
const acceptedHeaders = toHeaders(accepted('0'.repeat(32)))

function writeAnswer(outgoing: ServerResponse, answer: Answer): void {
  if (answer.outcome === 'accepted') {
    // Nearly all answers. They have one length, and are ASCII, which Node writes faster as latin1.
    outgoing.writeHead(200, acceptedHeaders)
    outgoing.end(answer.body, 'latin1')
    return
  }
  outgoing.writeHead(answer.status, toHeaders(answer))
  outgoing.end(answer.body)
}

/**
 * For a request whose body may still arrive. Closing at once would reset the connection before the sender has seen the
 * answer. So the answer is sent, and the connection closes when the sender is done or after `lingerMs`.
 */
function writeRefusal(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Answer,
  lingerMs: number,
): void {
  const isSmall = Number(incoming.headers['content-length'] ?? 0) <= maxUnreadBytes
  if (isSmall && incoming.headers['transfer-encoding'] === undefined) return writeAnswer(outgoing, answer)
  outgoing.writeHead(answer.status, [...toHeaders(answer), 'connection', 'close'])
  outgoing.write(answer.body)
  const timer = setTimeout(() => incoming.socket.destroy(), lingerMs)
  const finish = () => {
    clearTimeout(timer)
    outgoing.end()
  }
  incoming.once('end', finish)
  incoming.once('error', finish)
  incoming.resume()
}

function toHeaders(answer: Answer): string[] {
  return [...commonHeaderList, ...answer.headers, 'content-length', String(Buffer.byteLength(answer.body))]
}
