import { describe, expect, it, onTestFinished } from 'vitest'
import { createLife } from '../../sample-platform/company/life.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'
import { openReceiver } from './receiver.ts'

const day = 86_400_000
const from = Date.UTC(2026, 4, 4, 6)
const to = from + 40 * day

async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({
    seed: 'passing',
    from,
    to,
    people: 40,
    tokens: ['good'],
    ...options,
  })
  onTestFinished(() => platform.close())
  return platform
}

const lived = [...createLife({ seed: 'passing', from, people: 40 }).next(to)]
const timeOf = (body: string) => (JSON.parse(body) as { timestamp: number }).timestamp

describe('simulated time', () => {
  it('passes in steps, and everyone registered gets all that was asked for, of the time since', async () => {
    const [all, some] = await Promise.all([openReceiver(), openReceiver()])
    const platform = await start({ url: all.url })
    await platform.pass(from + 20 * day)
    const created = ['assignmentCreated.challenge']
    platform.subscriptions.add({ name: 'late', url: some.url, eventTypes: created }, platform.life.now())
    await platform.pass(to)
    expect(platform.life.now()).toBe(to)
    expect(all.bodies.toSorted()).toEqual(lived.map(({ body }) => body).sort())
    const since = lived.filter(({ at, eventType }) => at > from + 20 * day && created.includes(eventType))
    expect(since.length).toBeGreaterThan(20)
    expect(some.bodies.toSorted()).toEqual(since.map(({ body }) => body).sort())
  })

  it('brings what is delayed days later, and nothing is kept back in the end', async () => {
    const receiver = await openReceiver()
    const platform = await start({ url: receiver.url, concurrency: 1, faults: { delay: 0.3 } })
    await platform.pass(to)
    const late = receiver.bodies.filter(
      (body, index) => timeOf(body) < timeOf(receiver.bodies[index - 1] ?? body),
    )
    expect(late.length).toBeGreaterThan(50)
    expect(receiver.bodies.length).toBeLessThan(lived.length)
    await platform.settle()
    expect(receiver.bodies.toSorted()).toEqual(lived.map(({ body }) => body).sort())
  })

  it('loses for good what happens while webhooks are down, and only that', async () => {
    const receiver = await openReceiver()
    const platform = await start({ url: receiver.url })
    const isDown = (at: number) => at >= from + 5 * day && at < from + 10 * day
    platform.setFaults({ isDown })
    await platform.pass(to)
    await platform.settle()
    const told = lived.filter(({ at }) => !isDown(at))
    expect(lived.length - told.length).toBeGreaterThan(30)
    expect(receiver.bodies.toSorted()).toEqual(told.map(({ body }) => body).sort())
    expect(platform.counts()?.lost).toBe(lived.length - told.length)
  })
})

describe('guides', () => {
  it('are read in sittings, put away now and then, and given to new people', async () => {
    const platform = await start({ people: 120, to: from + 200 * day })
    const seen = new Map<string, Set<number>>()
    for (let at = from; at <= from + 200 * day; at += 5 * day) {
      await platform.pass(at)
      for (const { record } of platform.guides.assignmentsAt(at)) {
        expect(record.updatedAt).toBeLessThanOrEqual(at)
        seen.set(record.id, (seen.get(record.id) ?? new Set()).add(record.completionPercentage))
      }
    }
    const steps = [...seen.values()].map((percentages) => percentages.size)
    expect(steps.filter((count) => count > 2).length).toBeGreaterThan(50)
    const all = platform.guides.assignmentsAt(from + 200 * day)
    expect(all.some(({ record }) => record.isArchived)).toBe(true)
    expect(new Set(all.map(({ record }) => record.status)).size).toBe(4)
    const joined = all.filter(({ person }) => person.createdAt > from)
    expect(joined.length).toBeGreaterThan(5)
    for (const { person, record } of joined) expect(record.createdAt).toBeGreaterThan(person.createdAt)
    for (const { person, record } of all) {
      if (person.leftAt === undefined || record.isCompleted) continue
      expect(record.isArchived || person.leftAt + day > from + 200 * day).toBe(true)
    }
  })
})
