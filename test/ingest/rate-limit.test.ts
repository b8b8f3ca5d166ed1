import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRateLimiter, type RateLimits } from '../../services/ingest/door/rate-limit.ts'

const noLimits: RateLimits = { perSecond: 0, bySource: new Map(), totalPerSecond: 0 }

/** Sends at a steady rate from each source for some seconds, by a clock of its own. Returns how many passed. */
function send(limits: RateLimits, perSecond: Record<string, number>, seconds: number): Record<string, number> {
  const sources = Object.keys(perSecond)
  const limiter = createRateLimiter(limits, sources)
  const arrivals = sources.flatMap((source) =>
    Array.from({ length: Math.round((perSecond[source] as number) * seconds) }, (_, index) => ({
      source,
      at: (index * 1_000) / (perSecond[source] as number),
    })),
  )
  const passed: Record<string, number> = Object.fromEntries(sources.map((source) => [source, 0]))
  for (const { source, at } of arrivals.toSorted((a, b) => a.at - b.at)) {
    if (limiter.take(source, at).limit === undefined) passed[source] = (passed[source] as number) + 1
  }
  return passed
}

describe('the common limit', () => {
  test('of a loud and a quiet source the quiet one loses nothing, and the loud one gets all the rest', () => {
    const passed = send({ ...noLimits, totalPerSecond: 100 }, { loud: 5_000, quiet: 40 }, 20)
    expect(passed.quiet).toBe(800)
    expect(passed.loud).toBeGreaterThanOrEqual(1_190)
    expect(passed.loud).toBeLessThanOrEqual(1_300)
  })

  test('a source alone may use all of it', () => {
    const passed = send({ ...noLimits, totalPerSecond: 10 }, { alone: 100, a: 0, b: 0, c: 0 }, 20)
    expect(passed.alone).toBeGreaterThanOrEqual(190)
    expect(passed.alone).toBeLessThanOrEqual(211)
  })

  test('a limit smaller than the number of sources still lets each of them in', () => {
    const passed = send({ ...noLimits, totalPerSecond: 1 }, { a: 50, b: 50, c: 50, d: 50 }, 40)
    for (const count of Object.values(passed)) expect(count).toBeGreaterThanOrEqual(9)
  })

  test('is kept, and nobody within an equal share is refused, however much others send', () => {
    const rates = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 100 }), (each, totalPerSecond) => {
        const seconds = 5
        const perSecond = Object.fromEntries(each.map((rate, index) => [`s${index}`, rate]))
        const passed = send({ ...noLimits, totalPerSecond }, perSecond, seconds)
        const sum = Object.values(passed).reduce((a, b) => a + b, 0)
        expect(sum).toBeLessThanOrEqual(totalPerSecond * seconds + Math.max(totalPerSecond, each.length) + 1)
        for (const [source, rate] of Object.entries(perSecond)) {
          if (rate <= totalPerSecond / each.length) expect(passed[source]).toBe(rate * seconds)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('the limiter', () => {
  test('after the wait that it names a delivery passes', () => {
    const limiter = createRateLimiter({ perSecond: 3, bySource: new Map(), totalPerSecond: 4 }, ['a', 'b'])
    let now = 1_000
    for (let count = 0; count < 50; count++) {
      const { waitMs, limit } = limiter.take('a', now)
      if (limit === undefined) continue
      now += waitMs
      expect(limiter.take('a', now).limit).toBeUndefined()
    }
  })

  test('a clock that is set back neither refills nor stops it', () => {
    const limiter = createRateLimiter({ ...noLimits, perSecond: 2 }, ['a'])
    const at = (now: number) => limiter.take('a', now).limit
    expect([at(10_000), at(10_000), at(10_000)]).toEqual([undefined, undefined, 'source'])
    expect(at(0)).toBe('source')
    expect(at(500)).toBeUndefined()
  })

  test('new tokens do not refill what a source has used', () => {
    const limiter = createRateLimiter({ ...noLimits, perSecond: 1, totalPerSecond: 100 }, ['a'])
    expect(limiter.take('a', 0).limit).toBeUndefined()
    limiter.setSources(['a', 'b'])
    expect(limiter.take('a', 0).limit).toBe('source')
    expect(limiter.take('b', 0).limit).toBeUndefined()
  })
})
