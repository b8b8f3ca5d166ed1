import { until } from '../support/wait.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createLife, type LifeEvent } from '../../sample-platform/company/life.ts'
import { createSender, type Sender, type SenderOptions } from '../../sample-platform/webhooks/sender.ts'

const from = Date.UTC(2026, 4, 4, 6)
const events = [...createLife({ seed: 'sender', from, people: 30 }).next(Date.UTC(2026, 6, 1))]
const open: { close: () => unknown }[] = []

afterEach(() => {
  for (const thing of open.splice(0)) thing.close()
})

/** A real receiver: keeps every body, and answers as told, 200 with a receipt by default. */
async function openReceiver(answer?: (body: string, response: ServerResponse, number: number) => boolean) {
  const bodies: string[] = []
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      requests.push(request)
      if (answer?.(body, response, bodies.length) === true) return
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ receipt: `receipt-${bodies.length}`, status: 'accepted' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => (server.closeAllConnections(), server.close()) })
  return { bodies, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/secret?x=1` }
}

function openSender(options: SenderOptions): Sender {
  const sender = createSender(options)
  open.push(sender)
  return sender
}

const keyOf = (body: string) => (JSON.parse(body) as { challengeAssignment: { id: string } }).challengeAssignment.id
const toSequences = (bodies: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(bodies, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1)))

describe('a sender', () => {
  it('delivers every event once, as JSON, in the order of its assignment, over kept connections', async () => {
    const receiver = await openReceiver()
    const summary = await openSender({ url: receiver.url, concurrency: 8 }).deliver(events)
    expect(summary).toMatchObject({
      events: events.length,
      sent: events.length,
      acknowledged: events.length,
      refused: {},
    })
    expect(toSequences(receiver.bodies)).toEqual(toSequences(events.map(({ body }) => body)))
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', url: '/webhooks/secret?x=1' })
    expect(receiver.requests[0]?.headers['content-type']).toBe('application/json')
    expect(new Set(receiver.requests.map(({ socket }) => socket)).size).toBeLessThanOrEqual(8)
  })

  it('sends no second time by default, and counts refusals by status', async () => {
    const receiver = await openReceiver((_, response, number) => {
      if (number % 5 !== 0) return false
      response.statusCode = number % 2 === 0 ? 503 : 422
      response.end()
      return true
    })
    const summary = await openSender({ url: receiver.url }).deliver(events.slice(0, 100))
    expect(summary).toMatchObject({ sent: 100, acknowledged: 80, refused: { 422: 10, 503: 10 }, retries: 0 })
    expect(receiver.bodies).toHaveLength(100)
  })

  it('tries 5xx, 429 and broken connections again when told to, never a 4xx, and loses nothing', async () => {
    const seen = new Map<string, number>()
    const receiver = await openReceiver((body, response) => {
      const times = (seen.get(body) ?? 0) + 1
      seen.set(body, times)
      if (times > 1) return false
      const kind = seen.size % 4
      if (kind === 0) return false
      if (kind === 1) response.destroy()
      else response.writeHead(kind === 2 ? 503 : 429).end()
      return true
    })
    const summary = await openSender({ url: receiver.url, retry: true, concurrency: 40 }).deliver(events.slice(0, 80))
    expect(summary).toMatchObject({ sent: 80, acknowledged: 80, refused: {}, unreachable: 0, retries: 60 })

    const refusing = await openReceiver((_, response) => (response.writeHead(404).end(), true))
    const refused = await openSender({ url: refusing.url, retry: true }).deliver(events.slice(0, 10))
    expect(refused).toMatchObject({ acknowledged: 0, refused: { 404: 10 }, retries: 0 })
  })

  it('says that nobody was there', async () => {
    const summary = await openSender({ url: 'http://127.0.0.1:9/webhooks/nobody' }).deliver(events.slice(0, 2))
    expect(summary).toMatchObject({ sent: 2, acknowledged: 0, unreachable: 2, retries: 0 })
  })

  it('never has more under way than it may', async () => {
    const underWay = new Set<{ end(text: string): unknown }>()
    let most = 0
    // None is answered before five are there.
    const receiver = await openReceiver((_, response) => {
      underWay.add(response)
      most = Math.max(most, underWay.size)
      if (underWay.size < 5) return true
      setImmediate(() => {
        for (const one of underWay) {
          underWay.delete(one)
          one.end('{}')
        }
      })
      return true
    })
    await openSender({ url: receiver.url, concurrency: 5, ordered: false }).deliver(events.slice(0, 200))
    expect(most).toBe(5)
  })

  it('takes events only as fast as they are answered', async () => {
    let taken = 0
    function* counted(): Generator<LifeEvent> {
      for (const event of events) {
        taken++
        yield event
      }
    }
    let ahead = 0
    const receiver = await openReceiver((_, __, number) => {
      ahead = Math.max(ahead, taken - number)
      return false
    })
    await openSender({ url: receiver.url, concurrency: 4 }).deliver(counted())
    expect(taken).toBe(events.length)
    expect(ahead).toBeLessThanOrEqual(17)
  })

  it('stops waiting for a receiver that is gone when it is closed', async () => {
    const sender = openSender({ url: 'http://127.0.0.1:9/', retry: true })
    const delivering = sender.deliver(events.slice(0, 20))
    await until(() => sender.counts().sent > 0)
    sender.close()
    expect((await delivering).acknowledged).toBe(0)
  })

  it('reports progress while it sends, and at the end', async () => {
    const receiver = await openReceiver()
    const reports: number[] = []
    await openSender({
      url: receiver.url,
      progressEveryMs: 1,
      onProgress: ({ acknowledged }) => reports.push(acknowledged),
    }).deliver(events.slice(0, 500))
    expect(reports.length).toBeGreaterThan(3)
    expect(reports.at(-1)).toBe(500)
  })
})

describe('faults', () => {
  const faults = { duplicates: 0.05, reordering: 0.1, delay: 0.05, loss: 0.04, malformed: 0.03 }

  it('are the same for the same seed', async () => {
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const receiver = await openReceiver()
        const summary = await openSender({ url: receiver.url, seed: 's', concurrency: 1, faults }).deliver(events)
        return { ...summary, bodies: receiver.bodies }
      }),
    )
    expect(runs[0]).toEqual(runs[1])
  })

  it('happen as often as asked, are counted, and change no event', async () => {
    const receiver = await openReceiver()
    const summary = await openSender({ url: receiver.url, seed: 's', faults }).deliver(events)
    const { lost, duplicated, malformed, reordered, delayed } = summary
    const near = (count: number, share: number) => {
      expect(count / events.length).toBeGreaterThan(share * 0.5)
      expect(count / events.length).toBeLessThan(share * 1.6)
    }
    near(lost, faults.loss)
    near(duplicated, faults.duplicates)
    near(malformed, faults.malformed)
    near(delayed, faults.delay)
    near(reordered, faults.reordering)
    expect(summary.sent).toBe(events.length - lost + duplicated + malformed)
    const sent = new Set(events.map(({ body }) => body))
    expect(receiver.bodies.filter((body) => !sent.has(body))).toHaveLength(malformed)
    expect(new Set(receiver.bodies.filter((body) => sent.has(body))).size).toBe(events.length - lost)
  })

  it('of order really break the order, and lose nothing', async () => {
    const receiver = await openReceiver()
    const disorder = { reordering: 0.2, delay: 0.1 }
    await openSender({ url: receiver.url, concurrency: 1, faults: disorder }).deliver(events)
    const original = events.map(({ body }) => body)
    expect(toSequences(receiver.bodies)).not.toEqual(toSequences(original))
    expect(receiver.bodies.toSorted()).toEqual(original.toSorted())
  })
})
