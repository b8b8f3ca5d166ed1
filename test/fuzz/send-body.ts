/** One delivery over HTTP in one of the forms that senders use, or misuse. */
import { setTimeout as sleep } from 'node:timers/promises'
import { request, type Agent } from 'node:http'
import { text } from 'node:stream/consumers'

export type Form = {
  name: string
  headers: Record<string, string>
  /** Sends the body in pieces of so many bytes, without saying its length. */
  chunkBytes?: number
  /** Time between two pieces. Default none. */
  pauseMs?: number
}

export type Answer = { status: number; body: string; retryAfter?: string | undefined }

/** The first one most often. */
export const forms: readonly Form[] = [
  { name: 'as JSON', headers: { 'content-type': 'application/json' } },
  { name: 'as JSON with a charset', headers: { 'content-type': 'application/json; charset=UTF-8' } },
  { name: 'in chunks', headers: { 'content-type': 'application/json' }, chunkBytes: 700 },
  { name: 'in small chunks', headers: { 'content-type': 'application/json' }, chunkBytes: 13 },
  { name: 'after 100 Continue', headers: { 'content-type': 'application/json', expect: '100-continue' } },
  { name: 'as another JSON', headers: { 'content-type': 'application/vnd.api+json' } },
  { name: 'as UTF-16', headers: { 'content-type': 'application/json; charset=utf-16' } },
  { name: 'as gzip', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
  { name: 'as text', headers: { 'content-type': 'text/plain' } },
  { name: 'as a form', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  { name: 'as nothing', headers: {} },
  { name: 'as nonsense', headers: { 'content-type': ';;;=,"' } },
]

const mostSmallChunks = 4_000

export function sendBody(url: string, agent: Agent, body: Uint8Array, form: Form): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const isChunked = form.chunkBytes !== undefined
    const headers = isChunked ? form.headers : { ...form.headers, 'content-length': String(body.byteLength) }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, body, retryAfter: headers['retry-after'] }), reject)
    })
    sent.on('error', reject)
    const finish = async () => {
      if (!isChunked) return void sent.end(body)
      const step = Math.max(form.chunkBytes ?? 1, Math.ceil(body.byteLength / mostSmallChunks))
      for (let from = 0; from < body.byteLength; from += step) {
        sent.write(body.subarray(from, from + step))
        if (form.pauseMs !== undefined) await sleep(form.pauseMs)
        // Refused in the middle.
        if (sent.destroyed) return
      }
      sent.end()
    }
    if (form.headers['expect'] === undefined) void finish()
    else sent.on('continue', () => void finish()).flushHeaders()
  })
}
