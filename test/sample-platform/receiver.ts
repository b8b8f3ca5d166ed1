import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Takes webhooks, answers each with 200, and keeps their bodies in order. */
export async function openReceiver() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
