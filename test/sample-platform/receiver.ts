import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A real receiver, until the test ends: keeps every body, and answers as told, 200 with a receipt by default. */
export async function openReceiver(
  answer?: (body: string, response: ServerResponse, number: number) => boolean,
) {
  const bodies: string[] = []
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      requests.push(request)
      if (answer?.(body, response, bodies.length) === true) return
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ receipt: `receipt-${bodies.length}`, status: 'accepted' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    bodies,
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/secret?x=1`,
  }
}
