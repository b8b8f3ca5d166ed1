/** Posts one webhook over a keep-alive connection with `node:http`: Node's fetch costs several times as much. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** Without a status: nobody answered. */
export type PostAnswer = { status?: number; retryAfterMs?: number | undefined }

const timeoutMs = 30_000

export function createPoster(connections: number) {
  const options = { keepAlive: true, maxSockets: connections, scheduling: 'fifo' } as const
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)

  /** Never rejects. Reads the answer to its end. */
  function post(url: URL, body: string): Promise<PostAnswer> {
    const bytes = Buffer.from(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'stand-in-platform',
    }
    return new Promise((resolve) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const agent = url.protocol === 'https:' ? https : http
      const sending = send(url, { agent, method: 'POST', timeout: timeoutMs, headers }, (answer) => {
        const { statusCode: status = 0, headers } = answer
        answer.on('error', () => resolve({}))
        answer.on('end', () => resolve({ status, retryAfterMs: toRetryAfterMs(headers['retry-after']) }))
        answer.resume()
      })
      sending.on('timeout', () => sending.destroy())
      sending.on('error', () => resolve({}))
      sending.end(bytes)
    })
  }

  return {
    post,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/** Seconds or an HTTP date. */
function toRetryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
