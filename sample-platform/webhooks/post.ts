/** Posts one webhook over a keep-alive connection with `node:http`: Node's fetch costs several times as much. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

const timeoutMs = 30_000

export function createPoster(connections: number) {
  const options = { keepAlive: true, maxSockets: connections, scheduling: 'fifo' } as const
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)

  /** The status of the answer, which is read to its end. `undefined`: nobody answered. */
  function post(url: URL, body: string): Promise<number | undefined> {
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
        answer.on('error', () => resolve(undefined))
        answer.on('end', () => resolve(answer.statusCode))
        answer.resume()
      })
      sending.on('timeout', () => sending.destroy())
      sending.on('error', () => resolve(undefined))
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
