/** An HTTP server that gives the answers a test wants, for what no platform that means well would answer. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../services/platform/clock.ts'
import { createCallBudget } from '../../services/platform/create-call-budget.ts'
import {
  openPlatformClient,
  type PlatformClientOptions,
} from '../../services/platform/open-platform-client.ts'
import type { Page, Pages } from '../../services/platform/platform-client.ts'
import type { PlatformClient } from '../../services/platform/open-platform-client.ts'

export type Answered = {
  /** Default 200. */
  status?: number
  json?: unknown
  text?: string
  headers?: Record<string, string>
  /** Cuts the connection in the middle of the answer, or instead of one. */
  cut?: 'middle' | 'instead'
  /** Never answers. */
  silent?: true
}

export type AnswerServer = {
  url: string
  /** `GET /path?query`, in order. */
  calls: string[]
  /** The headers of the calls, and the bodies sent with them. */
  headers: Record<string, string | undefined>[]
  bodies: string[]
  close(): Promise<void>
}

/** The answers in order, the last one again and again; or those of a function. */
export async function serveAnswers(
  answers: Answered[] | ((url: URL, call: number) => Answered),
): Promise<AnswerServer> {
  const calls: string[] = []
  const headers: AnswerServer['headers'] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const number = calls.push(`${request.method} ${request.url}`) - 1
    headers.push(request.headers as AnswerServer['headers'][number])
    let sent = ''
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()))
    request.on('end', () => {
      bodies[number] = sent
      const url = new URL(request.url ?? '/', 'http://localhost')
      const answer =
        typeof answers === 'function' ? answers(url, number) : answers[Math.min(number, answers.length - 1)]
      if (answer === undefined || answer.silent === true) return
      if (answer.cut === 'instead') return request.socket.destroy()
      const bytes = Buffer.from(answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)))
      response.writeHead(answer.status ?? 200, {
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...answer.headers,
      })
      if (answer.cut === 'middle') {
        response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
        return
      }
      response.end(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    headers,
    bodies,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The same, until the end of the test. */
export async function serve(...answers: Parameters<typeof serveAnswers>): Promise<AnswerServer> {
  const server = await serveAnswers(...answers)
  onTestFinished(() => server.close())
  return server
}

/** A client with short pauses, until the end of the test. */
export function openClient(baseUrl: string, options: Partial<PlatformClientOptions> = {}): PlatformClient {
  const { clock = systemClock } = options
  const budget = createCallBudget({ callsPerHour: 100_000, clock })
  const client = openPlatformClient({
    baseUrl,
    token: 'platform-token',
    budget,
    clock,
    pauseMs: 0.1,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

/** The first page that a read gives. */
export async function readPage<Item>(pages: Pages<Item>): Promise<Page<Item>> {
  const { value } = await pages.next()
  if (value === undefined) throw new Error('The list has no page')
  return value
}
