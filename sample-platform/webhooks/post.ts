/** Posts one webhook over a keep-alive connection with `node:http`: Node's fetch costs several times as much. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export type PostAnswer =
  | { outcome: 'answered'; status: number; retryAfterMs: number | undefined; body: string }
  | { outcome: 'unreachable'; error: Error }

export type Poster = {
  /** Never rejects. Reads the answer's body to its end, and keeps it only if `keepBody`. */
  post(url: URL, body: string, keepBody: boolean): Promise<PostAnswer>
  close(): void
}

export function createPoster(options: {
  connections: number
  timeoutMs: number
  headers?: Record<string, string>
}): Poster {
  const agentOptions = { keepAlive: true, maxSockets: options.connections, scheduling: 'fifo' } as const
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }

  function post(url: URL, body: string, keepBody: boolean): Promise<PostAnswer> {
    const isTls = url.protocol === 'https:'
    const bytes = Buffer.from(body)
    return new Promise((resolve) => {
      const unreachable = (error: Error) => resolve({ outcome: 'unreachable', error })
      const sending = (isTls ? httpsRequest : httpRequest)(
        {
          agent: agents[isTls ? 'https:' : 'http:'],
          hostname: url.hostname.replace(/^\[|\]$/g, ''),
          port: url.port,
          path: url.pathname + url.search,
          method: 'POST',
          timeout: options.timeoutMs,
          headers: {
            'content-type': 'application/json',
            'content-length': bytes.length,
            'user-agent': 'stand-in-platform',
            ...options.headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => {
            if (keepBody) chunks.push(chunk)
          })
          answer.on('error', unreachable)
          answer.on('end', () => {
            resolve({
              outcome: 'answered',
              status: answer.statusCode ?? 0,
              retryAfterMs: toRetryAfterMs(answer.headers['retry-after']),
              body: Buffer.concat(chunks).toString(),
            })
          })
        },
      )
      sending.on('timeout', () => sending.destroy(new Error(`no answer within ${options.timeoutMs} ms`)))
      sending.on('error', unreachable)
      sending.end(bytes)
    })
  }

  return {
    post,
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
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
