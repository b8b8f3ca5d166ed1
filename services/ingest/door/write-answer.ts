/** Writes an answer to a connection at the level of node:http, which costs a fraction of a Response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { accepted, commonHeaders, type Answer } from './answer.ts'

/** A refused body up to this size is discarded and the connection stays open; a larger one ends the connection. */
const maxUnreadBytes = 65_536
const commonHeaderList = Object.entries(commonHeaders).flat()
const acceptedHeaders = toHeaders(accepted('0'.repeat(32)))

export function writeAnswer(outgoing: ServerResponse, answer: Answer): void {
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
export function writeRefusal(
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
