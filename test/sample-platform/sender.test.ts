import { describe, expect, it, onTestFinished } from 'vitest'
import { Life } from '../../sample-platform/company/life.ts'
import { createSender, type Sender, type SenderOptions } from '../../sample-platform/webhooks/sender.ts'
import { openReceiver } from './receiver.ts'

const from = Date.UTC(2026, 4, 4, 6)
const events = [...new Life({ seed: 'sender', from, people: 30 }).next(Date.UTC(2026, 6, 1))]

function openSender(options: SenderOptions): Sender {
  const sender = createSender(options)
  onTestFinished(() => sender.close())
  return sender
}

const keyOf = (body: string) =>
  (JSON.parse(body) as { challengeAssignment: { id: string } }).challengeAssignment.id
const toSequences = (bodies: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(bodies, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1)))

describe('a sender', () => {
  it('delivers every event once, as JSON, in the order of its assignment, over kept connections', async () => {
    const receiver = await openReceiver()
    const summary = await openSender({ url: receiver.url, concurrency: 8 }).deliver(events)
    expect(summary).toMatchObject({ sent: events.length, acknowledged: events.length, refused: {} })
    expect(toSequences(receiver.bodies)).toEqual(toSequences(events.map(({ body }) => body)))
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', url: '/webhooks/secret?x=1' })
    expect(receiver.requests[0]?.headers['content-type']).toBe('application/json')
    expect(new Set(receiver.requests.map(({ socket }) => socket)).size).toBeLessThanOrEqual(8)
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
    const summary = await openSender({ url: receiver.url, retry: true, concurrency: 40 }).deliver(
      events.slice(0, 80),
    )
    expect(summary).toMatchObject({ sent: 80, acknowledged: 80, refused: {}, unreachable: 0, retries: 60 })

    const refusing = await openReceiver((_, response) => (response.writeHead(404).end(), true))
    const refused = await openSender({ url: refusing.url, retry: true }).deliver(events.slice(0, 10))
    expect(refused).toMatchObject({ acknowledged: 0, refused: { 404: 10 }, retries: 0 })
  })
})
